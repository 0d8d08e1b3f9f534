import type { JsonValue } from '../../engine/types.ts';

/** A copy of a JSON value with U+FFFD for lone surrogates; undefined if it is nested more than `depth` deep. */
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
