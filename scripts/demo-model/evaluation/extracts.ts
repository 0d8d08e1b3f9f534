import type { EvaluationCase } from './case.ts';
import { isJson } from './judge.ts';

type Json = string | number | boolean | readonly string[] | { readonly [key: string]: Json };

/** The case's schema follows from the right answer: all its keys, in its order, and no others. */
export const extracts = (content: string, right: Readonly<Record<string, Json>>): EvaluationCase => ({
  group: 'json',
  jsonSchema: schemaOf(right),
  messages: [{ role: 'user', content }],
  accepts: isJson(right),
});

function schemaOf(value: Json): Readonly<Record<string, unknown>> {
  if (typeof value === 'string') return { type: 'string' };
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  if (Array.isArray(value)) return { type: 'array', items: { type: 'string' } };
  const properties = Object.entries(value).map(([key, field]) => [key, schemaOf(field)]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.keys(value),
    additionalProperties: false,
  };
}
