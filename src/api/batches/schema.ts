import { z } from 'zod';
import { batchEndpoints } from '../../batches/batch-lines.ts';
import { isKeptTime } from '../files/schema.ts';
import { pageOf } from '../parameters/list-page.ts';
import { metadata } from '../parameters/metadata.ts';
import { createParameterParser } from '../request/validate.ts';

const expiresAfter = z.object({
  anchor: z.literal('created_at'),
  seconds: z.int().refine(isKeptTime, { error: 'must be 3600 to 2592000' }),
});

export const batchSchema = z.object({
  input_file_id: z.string().min(1).max(256),
  endpoint: z.enum(batchEndpoints).meta({ description: 'The `url` of each line.' }),
  completion_window: z
    .enum(['24h'])
    .meta({ description: 'Lines that are not computed by then are reported as expired.' }),
  metadata: metadata.optional(),
  output_expires_after: expiresAfter
    .optional()
    .meta({ description: 'How long the results are kept; default: 30 days.' }),
});

export const batchesQuery = z.object(pageOf(100));

export const parseBatch = createParameterParser(batchSchema);
export const parseBatchesQuery = createParameterParser(batchesQuery);
