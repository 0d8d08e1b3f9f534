import { usageList } from '../admin/response-schema.ts';
import { ownUsageQuery } from '../admin/schema.ts';
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
  {
    method: 'GET',
    path: '/v1/usage',
    id: 'getOwnUsage',
    tag: 'Models',
    summary: 'What the key has used',
    description:
      'In the last 7 days unless `since` says otherwise, by model unless `by` does. It is not metered.',
    access: 'user',
    query: ownUsageQuery,
    responses: {
      200: { description: 'One sum for each group.', content: { 'application/json': usageList } },
    },
  },
];
