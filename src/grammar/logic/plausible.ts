import { canonicalText, includesJson } from '../schema/json-text.ts';
import type { Json } from '../schema/json-value.ts';
import {
  boundsOfAll,
  countsOf,
  jsonTypes,
  typesOf,
  valuesOf,
  type CountedPart,
  type JsonType,
} from '../schema/keywords.ts';
import { exclusionOf } from './exclusion.ts';
import { propertyNodes, requiredNames } from '../schema/object-members.ts';
import type { SchemaDocument, SchemaNode } from '../schema/schema-document.ts';
import { isValid, typeOfJson } from './validate-value.ts';

/**
 * False only when it is certain that no value satisfies all of `nodes`, from their types, spelled-out values, bounds
 * and required properties. `mayHold` answers the same for the schemas of a required property.
 */
export function plausible(
  document: SchemaDocument,
  nodes: readonly SchemaNode[],
  mayHold: (property: readonly SchemaNode[]) => boolean,
): boolean {
  document.work.spend(5 + 6 * nodes.length);
  const types = allowedTypes(nodes);
  if (types.size === 0) return false;
  const values = namedValues(document, nodes, 1);
  if (values !== undefined) return values.length > 0;
  return [...types].some((type) => {
    switch (type) {
      case 'null':
      case 'boolean':
        return true;
      case 'number':
        return numbersPlausible(nodes);
      case 'string':
        return countsPlausible(nodes, 'Length');
      case 'array':
        return countsPlausible(nodes, 'Items');
      case 'object':
        return (
          countsPlausible(nodes, 'Properties') &&
          [...requiredNames(nodes)].every((name) => {
            document.work.spend(3 + 2 * nodes.length);
            const property = propertyNodes(document, nodes, name);
            return !property.some((node) => node.never) && mayHold(property);
          })
        );
    }
  });
}

const anyType: ReadonlySet<JsonType> = new Set(jsonTypes);

/** The types that all of `nodes` allow. */
export function allowedTypes(nodes: readonly SchemaNode[]): ReadonlySet<JsonType> {
  let allowed: ReadonlySet<JsonType> = anyType;
  for (const node of nodes) {
    const { types } = typesOf(node);
    if (allowed.size === anyType.size) allowed = types;
    else if (types !== allowed && types.size < anyType.size)
      allowed = new Set([...allowed].filter((type) => types.has(type)));
  }
  return allowed;
}

/**
 * The values that satisfy all of `nodes`, the first `most` of them, where one of them spells its values out (enum, const, or no types but null
 * and boolean); undefined where none does.
 */
export function namedValues(
  document: SchemaDocument,
  nodes: readonly SchemaNode[],
  most = Infinity,
): readonly Json[] | undefined {
  const named = nodes.map(valuesOf).find((values) => values !== undefined);
  const types = allowedTypes(nodes);
  const simple = types.size > 0 && [...types].every((type) => type === 'null' || type === 'boolean');
  if (named === undefined && !simple) return undefined;
  const candidates = named ?? [true, false, null].filter((value) => types.has(typeOfJson(value)));
  const distinct: Json[] = [];
  const seen = new Set<string>();
  for (const value of candidates) {
    if (distinct.length >= most) break;
    document.work.spend(3 + 2 * nodes.length);
    const text = canonicalText(value);
    if (seen.has(text) || !nodes.every((node) => isPlain(node, value) && isValid(document, node, value)))
      continue;
    seen.add(text);
    distinct.push(value);
  }
  return distinct;
}

/** A quick first check of whether `node` allows `value`, by type and excluded values. */
function isPlain(node: SchemaNode, value: Json): boolean {
  if (!typesOf(node).types.has(typeOfJson(value))) return false;
  const excluded = exclusionOf(node)?.values ?? [];
  return !includesJson(excluded, value);
}

function numbersPlausible(nodes: readonly SchemaNode[]): boolean {
  const { min, minExcluded, max, maxExcluded } = boundsOfAll(nodes);
  if (min > max || (min === max && (minExcluded || maxExcluded))) return false;
  const whole = nodes.some((node) => typesOf(node).integer);
  return !(whole && nodes.some((node) => exclusionOf(node)?.integers === true));
}

function countsPlausible(nodes: readonly SchemaNode[], what: CountedPart): boolean {
  const { min, max } = countsOf(nodes, what);
  return min <= max;
}
