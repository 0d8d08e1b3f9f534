import { remembered } from '../remembered.ts';
import { isArray, isObject, own, type Json } from './json-value.ts';

const texts = new WeakMap<object, string>();

/** A text that is the same for all values that JSON Schema calls equal, whatever the order of an object's members. */
export function canonicalText(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return remembered(texts, value, () => written(value));
}

function written(value: Json): string {
  if (isArray(value)) return `[${value.map((item) => canonicalText(item ?? null)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalText(own(value, name) ?? null)}`);
  return `{${members.join(',')}}`;
}

const sets = new WeakMap<readonly Json[], ReadonlySet<string>>();

/** Whether `values` holds `value`. */
export function includesJson(values: readonly Json[], value: Json): boolean {
  return remembered(sets, values, () => new Set(values.map(canonicalText))).has(canonicalText(value));
}
