import { modelKinds } from '../../model-kinds.ts';
import { named, namedObject, namedParameters } from '../openapi/json-schema.ts';
import { json, operationsOf } from '../openapi/operation.ts';
import { z } from 'zod';
import { listOf, pageOf } from '../parameters/list-page.ts';
import { mapOf } from '../parameters/schema-parts.ts';
import { batchEndpoints } from '../../batches/batch-lines.ts';
import { isKeptTime } from '../files/operation.ts';
import { batchStatuses } from '../../batches/batch-types.ts';
import { metadata } from '../parameters/metadata.ts';

const expiresAfter = z.object({
  anchor: z.literal('created_at'),
  seconds: z.int().refine(isKeptTime, { error: 'must be 3600 to 2592000' }),
});

export const batchSchema = namedParameters('CreateBatch', {
  input_file_id: z.string().min(1).max(256),
  endpoint: z.enum(batchEndpoints).describe('The `url` of each line.'),
  completion_window: z.enum(['24h']).describe('Lines that are not computed by then are reported as expired.'),
  metadata: metadata.optional(),
  output_expires_after: expiresAfter.optional().describe('How long the results are kept; default: 30 days.'),
});

export const batchesQuery = z.object(pageOf(100));

const seconds = z.int().min(0).describe('Unix seconds.');
const time = seconds.nullable();
const count = z.int().min(0);

export const batch = namedObject('Batch', {
  id: z.string().startsWith('batch_'),
  object: z.literal('batch'),
  endpoint: z.string(),
  model: z.string().nullable().describe('That all lines name; null: they name several.'),
  errors: z
    .strictObject({
      object: z.literal('list'),
      data: z.array(
        z.strictObject({
          code: z.string(),
          line: z.int().min(1).nullable().describe('Of the input file, from 1.'),
          message: z.string(),
          param: z.null(),
        }),
      ),
    })
    .nullable(),
  input_file_id: z.string(),
  completion_window: z.literal('24h'),
  status: z.enum(batchStatuses),
  output_file_id: z.string().nullable().describe('The answers, once the batch has ended.'),
  error_file_id: z.string().nullable().describe('The lines without an answer, once the batch has ended.'),
  created_at: seconds,
  in_progress_at: time,
  expires_at: seconds,
  finalizing_at: time,
  completed_at: time,
  failed_at: time,
  expired_at: time,
  cancelling_at: time,
  cancelled_at: time,
  request_counts: z.strictObject({ total: count, completed: count, failed: count }),
  usage: z
    .strictObject({
      input_tokens: count,
      input_tokens_details: z.strictObject({ cached_tokens: count }),
      output_tokens: count,
      output_tokens_details: z.strictObject({ reasoning_tokens: count }),
      total_tokens: count,
    })
    .describe('Of the lines that were answered by now.'),
  metadata: mapOf(z.string()).nullable(),
  hearth: z
    .strictObject({
      waiting_until: seconds,
      waiting_for: z.string().describe('Such as the refill of a limit.'),
      waiting_code: z.string().nullable().describe('Of the error, such as `rate_limit_exceeded`.'),
      waiting_server: z
        .string()
        .nullable()
        .describe(
          'What the server is called that runs its model and is away; null: nothing, or it waits for none.',
        ),
    })
    .nullable()
    .describe('Why nothing is computed now; null: the batch does not wait.'),
});

const batchList = named('BatchList', listOf(batch));

const ofBatch = {
  pathParameters: { id: 'Of a batch of the account.' },
  answer: json(batch, 'The batch.'),
} as const;

export const batchOperations = operationsOf(['Batches', 'user'], {
  createBatch: {
    route: 'POST /v1/batches',
    summary: 'Compute the requests of a file when nobody waits',
    description: `Each line is answered as a request of its own would be, for example by \`${modelKinds.chat.placeholder}\`, and charged to the key of this request. Requests that somebody waits for always come first. Where a limit is reached the batch waits until it has refilled.`,
    body: {
      schema: batchSchema,
      example: { input_file_id: 'file-…', endpoint: '/v1/chat/completions', completion_window: '24h' },
    },
    answer: ofBatch.answer,
    errors: ['not_found'],
  },
  listBatches: {
    route: 'GET /v1/batches',
    summary: 'List batches',
    description: 'Those of the account, newest first.',
    query: batchesQuery,
    answer: json(batchList, 'One page.'),
  },
  getBatch: {
    ...ofBatch,
    route: 'GET /v1/batches/{id}',
    summary: 'See how far a batch is',
    errors: ['not_found'],
  },
  cancelBatch: {
    ...ofBatch,
    route: 'POST /v1/batches/{id}/cancel',
    summary: 'Cancel a batch',
    description: 'What has been computed by then is kept; the other lines are in the error file.',
    errors: ['not_found', 'invalid_value'],
  },
});
