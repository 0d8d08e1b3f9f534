import { z } from 'zod';
import { mostLines } from '../../../batches/batch-lines.ts';
import { pageOf } from '../../parameters/list-page.ts';
import { anyObject, list, nameOf } from '../../parameters/schema-parts.ts';
import { createParameterParser } from '../../request/validate.ts';

const request = z.object({
  custom_id: nameOf(64),
  params: anyObject.meta({ description: 'The body of a request to `/v1/messages`, without `stream`.' }),
});

export const messageBatchSchema = z.object({ requests: list(request, { min: 1, max: mostLines }) });

const { limit, after } = pageOf(1000);
export const messageBatchesQuery = z.object({ limit, after_id: after, before_id: after });

export const parseMessageBatch = createParameterParser(messageBatchSchema);
export const parseMessageBatchesQuery = createParameterParser(messageBatchesQuery);
