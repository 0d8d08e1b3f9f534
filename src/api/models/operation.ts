import { openAiDialect } from '../middleware/speak.ts';
import type { Dialect } from '../dialect.ts';
import type { Operation } from '../openapi/operation.ts';
import { modelList, oneModel } from './response-schema.ts';

/** Anthropic's clients list models here too. They read errors of either shape. */
export const modelsDialect: Dialect = {
  ...openAiDialect,
  keyHeader: 'x-api-key',
  requestIdHeader: 'request-id',
};

const inAnthropicsShape = 'With the header `anthropic-version`: in the shape of Anthropic.';

export const modelOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/v1/models',
    id: 'listModels',
    tag: 'Models',
    summary: 'List the models that the key may use',
    description: `One that can reason is listed a second time, as \`<id>-r\`. ${inAnthropicsShape}`,
    dialect: modelsDialect,
    access: 'user',
    responses: { 200: { description: 'All of them.', content: { 'application/json': modelList } } },
  },
  {
    method: 'GET',
    path: '/v1/models/{id}',
    id: 'getModel',
    tag: 'Models',
    summary: 'Look a model up',
    description: inAnthropicsShape,
    dialect: modelsDialect,
    access: 'user',
    pathParameters: { id: 'An id, `-r` id or alias; it may have slashes in it.' },
    responses: { 200: { description: 'The model.', content: { 'application/json': oneModel } } },
    errors: ['model_not_found', 'model_loading'],
  },
];
