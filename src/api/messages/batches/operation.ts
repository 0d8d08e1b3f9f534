import { modelKinds } from '../../../model-kinds.ts';
import { components } from '../../openapi/json-schema.ts';
import type { Operation } from '../../openapi/operation.ts';
import { anthropicDialect } from '../dialect.ts';
import { deletedMessageBatch, messageBatch, messageBatchList } from './response-schema.ts';
import { messageBatchesQuery, messageBatchSchema } from './schema.ts';

const ofBatches = { tag: 'Batches', access: 'user', dialect: anthropicDialect } as const;
const ofBatch = {
  ...ofBatches,
  pathParameters: { id: 'Of a batch of messages.' },
  responses: { 200: { description: 'The batch.', content: { 'application/json': messageBatch } } },
  errors: ['not_found', 'invalid_value'],
} as const;
const params = {
  model: modelKinds.chat.placeholder,
  max_tokens: 20,
  messages: [{ role: 'user', content: 'Hi' }],
};

export const messageBatchOperations: readonly Operation[] = [
  {
    ...ofBatches,
    method: 'POST',
    path: '/v1/messages/batches',
    id: 'createMessageBatch',
    summary: 'Compute many messages when nobody waits',
    description: 'As `/v1/batches` does, with the requests in the body: up to 16 MiB.',
    body: {
      schema: messageBatchSchema.register(components, { id: 'CreateMessageBatch' }),
      example: { requests: [{ custom_id: 'first', params }] },
    },
    responses: ofBatch.responses,
  },
  {
    ...ofBatches,
    method: 'GET',
    path: '/v1/messages/batches',
    id: 'listMessageBatches',
    summary: 'List batches of messages',
    description: 'Those of the account, newest first.',
    query: messageBatchesQuery,
    responses: { 200: { description: 'One page.', content: { 'application/json': messageBatchList } } },
  },
  {
    ...ofBatch,
    method: 'GET',
    path: '/v1/messages/batches/{id}',
    id: 'getMessageBatch',
    summary: 'See how far a batch of messages is',
  },
  {
    ...ofBatch,
    method: 'POST',
    path: '/v1/messages/batches/{id}/cancel',
    id: 'cancelMessageBatch',
    summary: 'Cancel a batch of messages',
  },
  {
    ...ofBatch,
    method: 'DELETE',
    path: '/v1/messages/batches/{id}',
    id: 'deleteMessageBatch',
    summary: 'Delete a batch of messages',
    description: 'With its requests and results, once it has ended.',
    responses: { 200: { description: 'It is gone.', content: { 'application/json': deletedMessageBatch } } },
  },
  {
    ...ofBatch,
    method: 'GET',
    path: '/v1/messages/batches/{id}/results',
    id: 'getMessageBatchResults',
    summary: 'Download the results of a batch of messages',
    responses: {
      200: { description: 'One JSON object per line.', content: { 'application/x-jsonl': null } },
      206: { description: 'The part that `Range` names.', content: { 'application/x-jsonl': null } },
    },
  },
];
