import type { Operation } from '../openapi/operation.ts';
import { model, modelList } from './response-schema.ts';

export const modelOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/v1/models',
    id: 'listModels',
    tag: 'Models',
    summary: 'List the models that the key may use',
    description: 'One that can reason is listed a second time, as `<id>-r`.',
    access: 'user',
    responses: { 200: { description: 'All of them.', content: { 'application/json': modelList } } },
  },
  {
    method: 'GET',
    path: '/v1/models/{id}',
    id: 'getModel',
    tag: 'Models',
    summary: 'Look a model up',
    access: 'user',
    pathParameters: { id: 'An id, `-r` id or alias; it may have slashes in it.' },
    responses: { 200: { description: 'The model.', content: { 'application/json': model } } },
    errors: ['model_not_found', 'model_loading'],
  },
];
