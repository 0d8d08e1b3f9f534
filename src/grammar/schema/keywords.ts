import { remembered } from '../remembered.ts';
import { isArray, isObject, own, type Json } from './json-value.ts';
import { refusal } from '../budget/refusal.ts';
import type { SchemaNode } from './schema-document.ts';

const mistyped = (node: SchemaNode, keyword: string, wanted: string) =>
  refusal(node.path, keyword, `its value is not ${wanted}.`);

export function numberOf(node: SchemaNode, keyword: string): number | undefined {
  const value = own(node.schema, keyword);
  if (value === undefined) return undefined;
  if (typeof value !== 'number') throw mistyped(node, keyword, 'a number');
  return value;
}

export function countOf(node: SchemaNode, keyword: string): number | undefined {
  const value = numberOf(node, keyword);
  if (value !== undefined && (!Number.isInteger(value) || value < 0))
    throw mistyped(node, keyword, 'a whole number of 0 or more');
  return value;
}

export type CountedPart = 'Length' | 'Items' | 'Properties';

/** How many characters, items or properties all of `nodes` allow; `min` may be greater than `max`. */
export function countsOf(nodes: readonly SchemaNode[], what: CountedPart) {
  const counts = (keyword: string) => nodes.flatMap((node) => countOf(node, keyword) ?? []);
  return { min: Math.max(0, ...counts(`min${what}`)), max: Math.min(Infinity, ...counts(`max${what}`)) };
}

export function textOf(node: SchemaNode, keyword: string): string | undefined {
  const value = own(node.schema, keyword);
  if (value !== undefined && typeof value !== 'string') throw mistyped(node, keyword, 'a string');
  return value;
}

export function flagOf(node: SchemaNode, keyword: string): boolean {
  const value = own(node.schema, keyword);
  if (value !== undefined && typeof value !== 'boolean') throw mistyped(node, keyword, 'true or false');
  return value ?? false;
}

/** The members of an object keyword such as `properties`; none when it is absent. */
export function membersOf(
  node: SchemaNode,
  keyword: string,
): readonly (readonly [name: string, value: Json])[] {
  const value = own(node.schema, keyword);
  if (value === undefined) return [];
  if (!isObject(value)) throw mistyped(node, keyword, 'an object');
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

/** The member `name` of an object keyword. */
export function memberOf(node: SchemaNode, keyword: string, name: string): Json | undefined {
  const value = own(node.schema, keyword);
  return isObject(value) ? own(value, name) : undefined;
}

/** The items of an array keyword such as `anyOf`; undefined when it is absent. */
export function listOf(node: SchemaNode, keyword: string): readonly Json[] | undefined {
  const value = own(node.schema, keyword);
  if (value !== undefined && !isArray(value)) throw mistyped(node, keyword, 'an array');
  return value;
}

export function namesOf(
  node: SchemaNode,
  keyword: string,
  value = own(node.schema, keyword),
): readonly string[] {
  if (value === undefined) return [];
  if (!isArray(value)) throw mistyped(node, keyword, 'an array of strings');
  return value.map((name) => {
    if (typeof name !== 'string') throw mistyped(node, keyword, 'an array of strings');
    return name;
  });
}

/** The values of `enum` and `const`, or those that a pattern such as `^(a|b)$` spells out; undefined without them. */
export function valuesOf(node: SchemaNode): readonly Json[] | undefined {
  const constant = own(node.schema, 'const');
  if (constant !== undefined) return [constant];
  return listOf(node, 'enum') ?? spelledOut(node);
}

function spelledOut(node: SchemaNode): readonly string[] | undefined {
  if (own(node.schema, 'type') !== 'string' || flagOf(node, 'nullable')) return undefined;
  const [, several, one] = /^\^(?:\(([\w|-]+)\)|([\w-]+))\$$/.exec(textOf(node, 'pattern') ?? '') ?? [];
  return several?.split('|') ?? (one === undefined ? undefined : [one]);
}

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';
export const jsonTypes: readonly JsonType[] = ['object', 'array', 'string', 'number', 'boolean', 'null'];

export interface AllowedTypes {
  readonly types: ReadonlySet<JsonType>;
  /** True when numbers must be whole. */
  readonly integer: boolean;
}

const anything: AllowedTypes = { types: new Set(jsonTypes), integer: false };
const knownTypes = new WeakMap<SchemaNode, AllowedTypes>();

/** The types that `type` and OpenAPI's `nullable` of `node` allow. */
export const typesOf = (node: SchemaNode): AllowedTypes =>
  remembered(knownTypes, node, () => readTypes(node));

function readTypes(node: SchemaNode): AllowedTypes {
  const value = own(node.schema, 'type');
  if (value === undefined) return anything;
  const names = typeof value === 'string' ? [value] : namesOf(node, 'type', value);
  const types = new Set<JsonType>();
  for (const name of names) {
    const type = name === 'integer' ? 'number' : jsonTypes.find((known) => known === name);
    if (type === undefined)
      throw refusal(
        node.path,
        'type',
        `'${name}' is not one of object, array, string, number, integer, boolean, null.`,
      );
    types.add(type);
  }
  if (flagOf(node, 'nullable')) types.add('null');
  return { types, integer: names.includes('integer') && !names.includes('number') };
}

export interface NumberBounds {
  readonly min: number;
  readonly minExcluded: boolean;
  readonly max: number;
  readonly maxExcluded: boolean;
}

/** The bounds of numbers in `node`. exclusiveMinimum and exclusiveMaximum may be booleans, as in draft 4. */
export function boundsOf(node: SchemaNode): NumberBounds {
  const minimum = numberOf(node, 'minimum') ?? -Infinity;
  const maximum = numberOf(node, 'maximum') ?? Infinity;
  const above = own(node.schema, 'exclusiveMinimum');
  const below = own(node.schema, 'exclusiveMaximum');
  const exclusiveMin =
    typeof above === 'boolean' ? -Infinity : (numberOf(node, 'exclusiveMinimum') ?? -Infinity);
  const exclusiveMax =
    typeof below === 'boolean' ? Infinity : (numberOf(node, 'exclusiveMaximum') ?? Infinity);
  return {
    min: Math.max(minimum, exclusiveMin),
    minExcluded: above === true || (exclusiveMin >= minimum && exclusiveMin !== -Infinity),
    max: Math.min(maximum, exclusiveMax),
    maxExcluded: below === true || (exclusiveMax <= maximum && exclusiveMax !== Infinity),
  };
}

/** The bounds of all of `nodes` together; `min` may be greater than `max`. */
export function boundsOfAll(
  nodes: readonly SchemaNode[],
  others: readonly NumberBounds[] = [],
): NumberBounds {
  const bounds = [...nodes.map(boundsOf), ...others];
  const min = Math.max(-Infinity, ...bounds.map((one) => one.min));
  const max = Math.min(Infinity, ...bounds.map((one) => one.max));
  const minExcluded = bounds.some((one) => one.minExcluded && one.min === min);
  return { min, minExcluded, max, maxExcluded: bounds.some((one) => one.maxExcluded && one.max === max) };
}
