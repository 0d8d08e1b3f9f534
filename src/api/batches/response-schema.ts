import { z } from 'zod';
import { components } from '../openapi/json-schema.ts';
import { listOf } from '../parameters/list-page.ts';
import { mapOf } from '../parameters/schema-parts.ts';

const seconds = z.int().min(0).meta({ description: 'Unix seconds.' });
const time = seconds.nullable();
const count = z.int().min(0);

export const batch = z
  .strictObject({
    id: z.string().startsWith('batch_'),
    object: z.literal('batch'),
    endpoint: z.string(),
    model: z.string().nullable().meta({ description: 'That all lines name; null: they name several.' }),
    errors: z
      .strictObject({
        object: z.literal('list'),
        data: z.array(
          z.strictObject({
            code: z.string(),
            line: z.int().min(1).nullable().meta({ description: 'Of the input file, from 1.' }),
            message: z.string(),
            param: z.null(),
          }),
        ),
      })
      .nullable(),
    input_file_id: z.string(),
    completion_window: z.literal('24h'),
    status: z.enum([
      'validating',
      'in_progress',
      'finalizing',
      'cancelling',
      'completed',
      'failed',
      'cancelled',
      'expired',
    ]),
    output_file_id: z.string().nullable().meta({ description: 'The answers, once the batch has ended.' }),
    error_file_id: z
      .string()
      .nullable()
      .meta({ description: 'The lines without an answer, once the batch has ended.' }),
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
      .meta({ description: 'Of the lines that were answered by now.' }),
    metadata: mapOf(z.string()).nullable(),
    hearth: z
      .strictObject({
        waiting_until: seconds,
        waiting_for: z.string().meta({ description: 'Such as the refill of a limit.' }),
      })
      .nullable()
      .meta({ description: 'Why nothing is computed now; null: the batch does not wait.' }),
  })
  .register(components, { id: 'Batch' });

export const batchList = listOf(batch).register(components, { id: 'BatchList' });
