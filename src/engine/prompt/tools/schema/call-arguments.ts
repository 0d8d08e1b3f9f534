import type { JsonObject, JsonValue } from '../../../types.ts';

/**
 * The arguments of a call as an object, read from their JSON. A client may send anything here: any other value becomes
 * the member `input` of one, as templates that loop over arguments would fail otherwise.
 */
export function parseArguments(text: string): JsonObject {
  if (text.trim() === '') return {};
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    value = text;
  }
  if (value === null) return {};
  return isJsonObject(value) ? value : { input: value };
}

export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !isJsonArray(value);

/** Array.isArray, which does not narrow to readonly arrays. */
export const isJsonArray = (value: JsonValue | undefined): value is readonly JsonValue[] =>
  Array.isArray(value);

/** `value` with `change` applied to its members or items. */
export function mapParts(value: JsonValue, change: (part: JsonValue) => JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(change);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item)]));
}

/** The JSON object or list that begins at `start` of `text`, and its end; undefined where there is none. */
export function jsonAt(text: string, start: number) {
  let depth = 0;
  try {
    for (const { 0: token, index } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
      if (token === '{' || token === '[') depth++;
      if (token === '}' || token === ']') depth--;
      const end = start + index + token.length;
      if (depth === 0) return { start, end, value: JSON.parse(text.slice(start, end)) as JsonValue };
    }
  } catch {
    // Brackets around something else.
  }
  return undefined;
}

/** The JSON of a word of Python; other text as it is. */
export const fromPython = (text: string): string =>
  text === 'None' ? 'null' : /^(?:True|False)$/.test(text) ? text.toLowerCase() : text;

/** The name of the elements that hold the items of a list, where objects and lists are written as elements. */
export const itemKey = 'item';

export const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  isJsonArray(value) ? value : [];

/** JSON with a space after each comma and colon: Python writes it so, and models have learned from that. */
export function toSpacedJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isJsonArray(value)) return `[${value.map(toSpacedJson).join(', ')}]`;
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${toSpacedJson(item)}`);
  return `{${members.join(', ')}}`;
}
