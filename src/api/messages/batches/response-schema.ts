import { z } from 'zod';
import { components } from '../../openapi/json-schema.ts';
import { pageFields } from '../../parameters/list-page.ts';

const count = z.int().min(0);
const time = z.iso.datetime();
const id = z.string().startsWith('msgbatch_');

export const messageBatch = z
  .strictObject({
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
    results_url: z
      .string()
      .nullable()
      .meta({ description: 'One result per line, once the batch has ended.' }),
  })
  .register(components, { id: 'MessageBatch' });

export const messageBatchList = z
  .strictObject(pageFields(messageBatch))
  .register(components, { id: 'MessageBatchList' });

export const deletedMessageBatch = z
  .strictObject({ id, type: z.literal('message_batch_deleted') })
  .register(components, { id: 'DeletedMessageBatch' });
