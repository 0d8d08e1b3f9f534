import { z } from 'zod';
import { outputSchemaFields } from '../parameters/output-format-fields.ts';

const schemaElsewhere = z
  .unknown()
  .refine((schema) => schema === undefined || schema === null, {
    error: 'is not where a schema belongs: use type "json_schema" and json_schema.schema',
    params: { code: 'unsupported_value' },
  })
  .optional();

export const responseFormat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  // Some servers take a schema here; ignoring it would silently do less than was asked.
  z.object({ type: z.literal('json_object'), schema: schemaElsewhere }),
  z.object({ type: z.literal('json_schema'), json_schema: z.object(outputSchemaFields) }),
]);

export type ResponseFormatParameter = z.output<typeof responseFormat>;
