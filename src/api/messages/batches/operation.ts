import { modelKinds } from '../../../model-kinds.ts';
import { namedObject, namedParameters } from '../../openapi/json-schema.ts';
import { bytes, json, operationsOf } from '../../openapi/operation.ts';
import { anthropicDialect } from '../dialect.ts';
import { z } from 'zod';
import { pageFields, pageOf } from '../../parameters/list-page.ts';
import { mostLines } from '../../../batches/batch-lines.ts';
import { anyObject, list, nameOf } from '../../parameters/schema-parts.ts';

const request = z.object({
  custom_id: nameOf(64),
  params: anyObject.describe('The body of a request to `/v1/messages`, without `stream`.'),
});

export const messageBatchSchema = namedParameters('CreateMessageBatch', {
  requests: list(request, { min: 1, max: mostLines }),
});

const { limit, after } = pageOf(1000);
export const messageBatchesQuery = z.object({ limit, after_id: after, before_id: after });

const count = z.int().min(0);
const time = z.iso.datetime();
const id = z.string().startsWith('msgbatch_');

const messageBatch = namedObject('MessageBatch', {
  id,
  type: z.literal('message_batch'),
  processing_status: z.enum(['in_progress', 'canceling', 'ended']),
  request_counts: z.strictObject({
    processing: count,
    succeeded: count,
    errored: count,
    canceled: count,
    expired: count,
  }),
  created_at: time,
  expires_at: time,
  ended_at: time.nullable(),
  cancel_initiated_at: time.nullable(),
  archived_at: z.null(),
  results_url: z.string().nullable().describe('One result per line, once the batch has ended.'),
});

const messageBatchList = namedObject('MessageBatchList', pageFields(messageBatch));

const deletedMessageBatch = namedObject('DeletedMessageBatch', {
  id,
  type: z.literal('message_batch_deleted'),
});

const ofBatch = {
  pathParameters: { id: 'Of a batch of messages.' },
  answer: json(messageBatch, 'The batch.'),
  errors: ['not_found', 'invalid_value'],
} as const;
const lines = ['application/x-jsonl'];
const params = {
  model: modelKinds.chat.placeholder,
  max_tokens: 20,
  messages: [{ role: 'user', content: 'Hi' }],
};

export const messageBatchOperations = operationsOf(['Batches', 'user', anthropicDialect], {
  createMessageBatch: {
    route: 'POST /v1/messages/batches',
    summary: 'Compute many messages when nobody waits',
    description: 'As `/v1/batches` does, with the requests in the body: up to 16 MiB.',
    body: {
      schema: messageBatchSchema,
      example: { requests: [{ custom_id: 'first', params }] },
    },
    answer: ofBatch.answer,
  },
  listMessageBatches: {
    route: 'GET /v1/messages/batches',
    summary: 'List batches of messages',
    description: 'Those of the account, newest first.',
    query: messageBatchesQuery,
    answer: json(messageBatchList, 'One page.'),
  },
  getMessageBatch: {
    ...ofBatch,
    route: 'GET /v1/messages/batches/{id}',
    summary: 'See how far a batch of messages is',
  },
  cancelMessageBatch: {
    ...ofBatch,
    route: 'POST /v1/messages/batches/{id}/cancel',
    summary: 'Cancel a batch of messages',
  },
  deleteMessageBatch: {
    ...ofBatch,
    route: 'DELETE /v1/messages/batches/{id}',
    summary: 'Delete a batch of messages',
    description: 'With its requests and results, once it has ended.',
    answer: json(deletedMessageBatch, 'It is gone.'),
  },
  getMessageBatchResults: {
    ...ofBatch,
    route: 'GET /v1/messages/batches/{id}/results',
    summary: 'Download the results of a batch of messages',
    answer: bytes(lines, 'One JSON object per line.'),
    responses: { 206: bytes(lines, 'The part that `Range` names.') },
    errors: [...ofBatch.errors, 'range_not_satisfiable'],
  },
});
