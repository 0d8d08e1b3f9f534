import { z } from 'zod';
import { components } from '../openapi/json-schema.ts';
import { listOf } from '../parameters/list-page.ts';

const seconds = z.int().min(0).meta({ description: 'Unix seconds.' });

export const file = z
  .strictObject({
    id: z.string().startsWith('file-'),
    object: z.literal('file'),
    bytes: z.int().min(0),
    created_at: seconds,
    expires_at: seconds.nullable(),
    filename: z.string(),
    purpose: z.string(),
    status: z.literal('processed'),
    status_details: z.null(),
  })
  .register(components, { id: 'File' });

export const fileList = listOf(file).register(components, { id: 'FileList' });

export const deletedFile = z
  .strictObject({ id: z.string(), object: z.literal('file'), deleted: z.literal(true) })
  .register(components, { id: 'DeletedFile' });
