import { modelKinds } from '../../model-kinds.ts';
import { components } from '../openapi/json-schema.ts';
import type { Operation } from '../openapi/operation.ts';
import { batch, batchList } from './response-schema.ts';
import { batchesQuery, batchSchema } from './schema.ts';

const ofBatch = {
  tag: 'Batches',
  access: 'user',
  pathParameters: { id: 'Of a batch of the account.' },
  responses: { 200: { description: 'The batch.', content: { 'application/json': batch } } },
} as const;

export const batchOperations: readonly Operation[] = [
  {
    method: 'POST',
    path: '/v1/batches',
    id: 'createBatch',
    tag: 'Batches',
    summary: 'Compute the requests of a file when nobody waits',
    description: `Each line is answered as a request of its own would be, for example by \`${modelKinds.chat.placeholder}\`, and charged to the key of this request. Requests that somebody waits for always come first. Where a limit is reached the batch waits until it has refilled.`,
    access: 'user',
    body: {
      schema: batchSchema.register(components, { id: 'CreateBatch' }),
      example: { input_file_id: 'file-…', endpoint: '/v1/chat/completions', completion_window: '24h' },
    },
    responses: ofBatch.responses,
    errors: ['not_found'],
  },
  {
    method: 'GET',
    path: '/v1/batches',
    id: 'listBatches',
    tag: 'Batches',
    summary: 'List batches',
    description: 'Those of the account, newest first.',
    access: 'user',
    query: batchesQuery,
    responses: { 200: { description: 'One page.', content: { 'application/json': batchList } } },
  },
  {
    ...ofBatch,
    method: 'GET',
    path: '/v1/batches/{id}',
    id: 'getBatch',
    summary: 'See how far a batch is',
    errors: ['not_found'],
  },
  {
    ...ofBatch,
    method: 'POST',
    path: '/v1/batches/{id}/cancel',
    id: 'cancelBatch',
    summary: 'Cancel a batch',
    description: 'What has been computed by then is kept; the other lines are in the error file.',
    errors: ['not_found', 'invalid_value'],
  },
];
