import { z } from 'zod';
import { jsonSchemaObject, wireName } from './schema-parts.ts';

/** What every endpoint says about a schema that the answer has to fit. */
export const outputSchemaFields = {
  name: wireName,
  description: z.string().nullish(),
  schema: jsonSchemaObject,
  // Without effect: the answer fits the schema either way.
  strict: z.boolean().nullish(),
};
