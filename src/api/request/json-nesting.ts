import type { JsonValue } from '../../engine/types.ts';

/** Whether arrays and objects in the JSON text `text` are nested more than `depth` deep, found without parsing it. */
export function isNestedDeeper(text: string, depth: number): boolean {
  let level = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      level += 1;
      if (level > depth) return true;
    } else if (char === '}' || char === ']') level -= 1;
  }
  return false;
}

/**
 * A copy of a parsed JSON value in which lone surrogates, which UTF-8 cannot hold, are U+FFFD; undefined if it is
 * nested more than `depth` deep.
 */
export function toWellFormedJson(value: unknown, depth: number): JsonValue | undefined {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value as number | boolean | null;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const item of value as readonly unknown[]) {
      const copy = toWellFormedJson(item, depth - 1);
      if (copy === undefined) return undefined;
      items.push(copy);
    }
    return items;
  }
  const fields: [string, JsonValue][] = [];
  for (const [name, field] of Object.entries(value)) {
    const copy = toWellFormedJson(field, depth - 1);
    if (copy === undefined) return undefined;
    fields.push([name.toWellFormed(), copy]);
  }
  // With an assignment a hostile `__proto__` would set the prototype; here it becomes a plain field.
  return Object.fromEntries(fields);
}

const [quote = 0, backslash, colon, openBracket, openBrace] = new TextEncoder().encode('"\\:[{');

/** Whether the JSON text in `bytes` has more than `most` objects, arrays and fields, counted without parsing it. */
export function hasMoreJsonParts(bytes: Uint8Array, most: number): boolean {
  let parts = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      at = endOfString(bytes, at);
    } else if (byte === colon || byte === openBrace || byte === openBracket) {
      parts += 1;
      if (parts > most) return true;
    }
  }
  return false;
}

/**
 * Where the string that begins at `start` ends, or the bytes do. Most of a request with pictures is a few long strings,
 * in which `indexOf` is far faster than a look at each byte.
 */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(quote, start + 1); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let slashes = 0;
    while (bytes[end - 1 - slashes] === backslash) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return bytes.length;
}
