import { AppError } from '../errors/errors.ts';
import { Work } from './budget/work.ts';
import { isValid } from './logic/validate-value.ts';
import { checkedSchema, type Json } from './schema/json-value.ts';
import { SchemaDocument } from './schema/schema-document.ts';

export { valueAt, valueOfReference } from './schema/references.ts';
export { typeOfJson } from './logic/validate-value.ts';
export { jsonTypes, type JsonType } from './schema/keywords.ts';

/** About 20 ms: it runs where other requests wait. */
const mostSteps = 200_000;

/** Whether `value`, which came from JSON, is valid against `schema`; undefined where that takes too long to tell. */
export function fitsSchema(schema: unknown, value: unknown): boolean | undefined {
  try {
    const document = new SchemaDocument(checkedSchema(schema), new Work(mostSteps), false);
    return isValid(document, document.root, value as Json);
  } catch (error) {
    if (error instanceof AppError || error instanceof RangeError) return undefined;
    throw error;
  }
}
