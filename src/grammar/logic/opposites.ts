import type { Json, JsonObject } from '../schema/json-value.ts';
import { boundsOf, countOf, jsonTypes, typesOf } from '../schema/keywords.ts';
import type { SchemaNode } from '../schema/schema-document.ts';

/** Schemas for the values of the types that `node` excludes. */
export function oppositeOfType(node: SchemaNode): readonly Json[] {
  const { types, integer } = typesOf(node);
  const others = jsonTypes.filter((type) => !types.has(type));
  const options: Json[] = others.length > 0 ? [{ type: others }] : [];
  if (integer) options.push({ type: 'number', not: { type: 'integer' } });
  return options;
}

/** Schemas for the numbers outside of the bounds of `node`. */
export function oppositeOfBounds(node: SchemaNode): readonly JsonObject[] {
  const { min, minExcluded, max, maxExcluded } = boundsOf(node);
  const options: JsonObject[] = [];
  if (min !== -Infinity)
    options.push({ type: 'number', [minExcluded ? 'maximum' : 'exclusiveMaximum']: min });
  if (max !== Infinity) options.push({ type: 'number', [maxExcluded ? 'minimum' : 'exclusiveMinimum']: max });
  return options;
}

/** Schemas for the values that fail minLength, maxItems or the like; undefined for other keywords. */
export function oppositeOfCount(node: SchemaNode, keyword: string): readonly JsonObject[] | undefined {
  const match = /^(min|max)(Length|Items|Properties)$/.exec(keyword);
  const count = match === null ? undefined : countOf(node, keyword);
  if (match === null || count === undefined) return undefined;
  const [, side, what = ''] = match;
  const type = what === 'Length' ? 'string' : what === 'Items' ? 'array' : 'object';
  if (side === 'max') return [{ type, [`min${what}`]: count + 1 }];
  return count === 0 ? [] : [{ type, [`max${what}`]: count - 1 }];
}
