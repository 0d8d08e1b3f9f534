import { canonicalText } from '../schema/json-text.ts';
import { own, type Json, type JsonObject } from '../schema/json-value.ts';
import { countOf, flagOf, memberOf, membersOf, namesOf } from '../schema/keywords.ts';
import { refusal } from '../budget/refusal.ts';
import type { SchemaDocument, SchemaNode } from '../schema/schema-document.ts';
import { dependenciesOf, itemsOf } from '../schema/subschemas.ts';

/** Whether `part` (by default the array or object itself) is valid against the subschema at `keyword` and `step`. */
export type Check = (schema: Json, keyword: string, step?: string | number, part?: Json) => boolean;

/** Whether the keywords of `node` for arrays allow `value`. */
export function isValidArray(node: SchemaNode, value: readonly Json[], check: Check): boolean {
  if (
    value.length < (countOf(node, 'minItems') ?? 0) ||
    value.length > (countOf(node, 'maxItems') ?? Infinity)
  )
    return false;
  if (flagOf(node, 'uniqueItems') && new Set(value.map(canonicalText)).size < value.length) return false;
  if (own(node.schema, 'unevaluatedItems') !== undefined)
    throw refusal(node.path, 'enum', 'array values next to unevaluatedItems are not supported.');
  const contained = own(node.schema, 'contains');
  if (contained !== undefined) {
    const count = value.filter((item) => check(contained, 'contains', undefined, item)).length;
    if (count < (countOf(node, 'minContains') ?? 1) || count > (countOf(node, 'maxContains') ?? Infinity))
      return false;
  }
  const { prefix, prefixKeyword, rest, restKeyword } = itemsOf(node);
  return value.every((item, index) => {
    const schema = prefix[index];
    if (schema !== undefined) return check(schema, prefixKeyword, index, item);
    return rest === undefined || check(rest, restKeyword, undefined, item);
  });
}

/** Whether the keywords of `node` for objects allow `value`. */
export function isValidObject(
  document: SchemaDocument,
  node: SchemaNode,
  value: JsonObject,
  check: Check,
): boolean {
  const names = Object.keys(value);
  if (names.length < (countOf(node, 'minProperties') ?? 0)) return false;
  if (names.length > (countOf(node, 'maxProperties') ?? Infinity)) return false;
  if (own(node.schema, 'unevaluatedProperties') !== undefined)
    throw refusal(node.path, 'enum', 'object values next to unevaluatedProperties are not supported.');
  if (namesOf(node, 'required').some((name) => !Object.hasOwn(value, name))) return false;
  const nameSchema = own(node.schema, 'propertyNames');
  if (nameSchema !== undefined && !names.every((name) => check(nameSchema, 'propertyNames', undefined, name)))
    return false;
  for (const { trigger, required, schema, keyword } of dependenciesOf(node)) {
    if (!Object.hasOwn(value, trigger)) continue;
    if (required?.some((name) => !Object.hasOwn(value, name)) === true) return false;
    if (schema !== undefined && !check(schema, keyword, trigger)) return false;
  }
  return names.every((name) => {
    const part = value[name] ?? null;
    const declared = memberOf(node, 'properties', name);
    if (declared !== undefined && !check(declared, 'properties', name, part)) return false;
    const patterns = membersOf(node, 'patternProperties').filter(([pattern]) =>
      document.patterns.matches(node, 'patternProperties', pattern, name),
    );
    if (!patterns.every(([pattern, schema]) => check(schema, 'patternProperties', pattern, part)))
      return false;
    const additional = own(node.schema, 'additionalProperties');
    if (declared !== undefined || patterns.length > 0 || additional === undefined) return true;
    return check(additional, 'additionalProperties', undefined, part);
  });
}
