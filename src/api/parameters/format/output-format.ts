import { z } from 'zod';
import type { JsonObject, OutputFormat } from '../../../engine/types.ts';
import { jsonSchemaObject, wireName } from '../schema-parts.ts';

/** The fields that every endpoint has for a schema that the answer must fit. */
export const outputSchemaFields = {
  name: wireName,
  description: z.string().nullish(),
  schema: jsonSchemaObject,
  // The answer fits the schema either way. With it, keywords that seem to be misspelt are errors.
  strict: z.boolean().nullish(),
};

export type OutputFormatParameter =
  | { readonly type: 'text' | 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly schema: JsonObject;
      readonly strict?: boolean | null | undefined;
    };

/** The form that the engine gives to the answer; undefined: any text. */
export function toOutputFormat(format: OutputFormatParameter | null | undefined): OutputFormat | undefined {
  if (format?.type === 'json_schema') return toSchemaFormat(format);
  return format?.type === 'json_object' ? { kind: 'json-object' } : undefined;
}

/** The form of an answer that fits `schema`. */
export const toSchemaFormat = ({
  schema,
  strict,
}: {
  readonly schema: JsonObject;
  readonly strict?: boolean | null | undefined;
}): OutputFormat => ({ kind: 'json-schema', schema, ...(strict === true && { strict }) });
