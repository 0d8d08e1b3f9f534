import { isArray, isObject, own, type Json } from '../schema/json-value.ts';
import { typesOf } from '../schema/keywords.ts';
import { formatSupersets } from '../language/format-patterns.ts';
import type { SchemaNode } from '../schema/schema-document.ts';

/** The exclusion by a `not` that can be honoured directly, without turning it into other keywords. */
export interface Exclusion {
  readonly values: readonly Json[];
  readonly patterns: readonly string[];
  /** True when whole numbers are excluded. */
  readonly integers: boolean;
}

/** The exclusion by `not` of `node`; undefined when there is no `not`, or when it needs `negate`. */
export function exclusionOf(node: SchemaNode): Exclusion | undefined {
  const excluded = own(node.schema, 'not');
  if (!isObject(excluded)) return undefined;
  const keywords = Object.keys(excluded).filter(
    (keyword) => !/^(title|description|\$comment)$/.test(keyword),
  );
  const [keyword] = keywords;
  if (keyword === undefined || keywords.length > 1) return undefined;
  const value = own(excluded, keyword) ?? null;
  const none = { values: [], patterns: [], integers: false };
  if (keyword === 'const') return { ...none, values: [value] };
  if (keyword === 'enum' && isArray(value)) return { ...none, values: value };
  if (keyword === 'type' && value === 'integer') return { ...none, integers: true };
  // Values of other types match no pattern, so `not` allows them all; `negate` handles a schema that allows such.
  const { types } = typesOf(node);
  const superset = keyword === 'format' && typeof value === 'string' ? formatSupersets.get(value) : undefined;
  if (superset !== undefined && types.size === 1 && types.has('string'))
    return { ...none, patterns: [superset] };
  if (keyword === 'pattern' && typeof value === 'string' && types.size === 1 && types.has('string'))
    return { ...none, patterns: [value] };
  return undefined;
}

/**
 * The objects or arrays that `not` of one of `nodes` excludes and the other schemas allow. `empty`: the empty one is
 * excluded, which is done by asking for a member. `filled`: a schema that excludes another one, which cannot be done.
 */
export function excludedContainers(
  nodes: readonly SchemaNode[],
  isAllowed: (node: SchemaNode, value: Json) => boolean,
): { readonly empty: boolean; readonly filled: SchemaNode | undefined } {
  let empty = false;
  let filled: SchemaNode | undefined;
  for (const node of nodes)
    for (const value of exclusionOf(node)?.values ?? []) {
      if (!isObject(value) && !isArray(value)) continue;
      if (!nodes.every((other) => exclusionOf(other) !== undefined || isAllowed(other, value))) continue;
      if (Object.keys(value).length === 0) empty = true;
      else filled ??= node;
    }
  return { empty, filled };
}
