import type { Operation } from '../openapi/operation.ts';
import { limitList } from './response-schema.ts';

export const limitOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/v1/limits',
    id: 'getLimits',
    tag: 'Models',
    summary: 'What the key may still use of each model',
    description: 'This request is not metered. A model without limits has no entry.',
    access: 'user',
    responses: { 200: { description: 'All limits of the key.', content: { 'application/json': limitList } } },
  },
];
