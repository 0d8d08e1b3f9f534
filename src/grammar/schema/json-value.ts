import { limits } from '../budget/limits.ts';
import { refusalOfAll } from '../budget/refusal.ts';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isArray = (value: unknown): value is readonly Json[] => Array.isArray(value);

/** The property `name` of `object`, but never one that objects inherit, such as `constructor`. */
export const own = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/**
 * `value` as a schema within the limits on depth and size. Throws invalid_json_schema where it is none. There is no
 * recursion here, so no input can overflow the stack. Members that are undefined count as absent, as in JSON.
 */
export function checkedSchema(value: unknown): Json {
  const queue: (readonly [value: unknown, depth: number])[] = [[value, 1]];
  let text = 0;
  for (const [item, depth] of queue) {
    if (depth > limits.schemaDepth)
      throw refusalOfAll(
        `The schema nests deeper than ${limits.schemaDepth} levels; move parts of it to $defs.`,
      );
    if (queue.length > limits.schemaValues || text > limits.schemaText)
      throw refusalOfAll(`The schema is larger than ${limits.schemaValues} values; simplify it or split it.`);
    if (typeof item === 'string') text += item.length;
    else if (Array.isArray(item)) for (const part of item) queue.push([part, depth + 1]);
    else if (isObject(item))
      for (const [name, part] of Object.entries(item)) {
        text += name.length;
        queue.push([part, depth + 1]);
      }
    else if (item !== null && item !== undefined && typeof item !== 'boolean' && !Number.isFinite(item))
      throw refusalOfAll('The schema is not JSON.');
  }
  if (typeof value !== 'boolean' && !isObject(value))
    throw refusalOfAll('A schema is a JSON object or a boolean.');
  return value;
}
