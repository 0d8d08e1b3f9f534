import { canonicalText, includesJson } from '../schema/json-text.ts';
import { isArray, isObject, own, type Json, type JsonObject } from '../schema/json-value.ts';
import {
  boundsOf,
  countOf,
  countsOf,
  listOf,
  numberOf,
  textOf,
  typesOf,
  flagOf,
  memberOf,
  membersOf,
  namesOf,
  type CountedPart,
  type JsonType,
} from '../schema/keywords.ts';
import { referred, dependenciesOf, itemsOf } from '../schema/subschemas.ts';
import { checkKeywords } from '../schema/check-keywords.ts';
import { formatSupersets, patternOfFormat, wholeNumberFormats } from '../language/format-patterns.ts';
import { refusal } from '../budget/refusal.ts';
import type { SchemaDocument, SchemaNode } from '../schema/schema-document.ts';

const maxDepth = 200;
/** The steps to check one value against the keywords of one schema. */
const stepsPerValue = 10;

/** The JSON type of `value`. */
export const typeOfJson = (value: Json): JsonType =>
  value === null ? 'null' : isArray(value) ? 'array' : (typeof value as JsonType);

/**
 * Whether `value` is valid against `node`. It is meant for values that the schema spells out itself: enum, const, names
 * of properties. A text is of a format only if it could be generated for that format. Throws invalid_json_schema for a
 * text that other validators may take for one of the format.
 */
export function isValid(document: SchemaDocument, node: SchemaNode, value: Json, depth = 0): boolean {
  return (
    node.id < 0 || (isValidAlone(document, node, value, depth) && combines(document, node, value, depth))
  );
}

/** The same for the keywords of `node` itself, without the schemas that it combines or refers to. */
export function isValidAlone(document: SchemaDocument, node: SchemaNode, value: Json, depth = 0): boolean {
  if (node.never) return false;
  if (node.id < 0) return true;
  if (depth > maxDepth) throw refusal(node.path, '$ref', 'it refers to itself without end.');
  document.work.spend(stepsPerValue + (typeof value === 'string' ? value.length >> 3 : 0));
  checkKeywords(document, node);
  const { types, integer } = typesOf(node);
  const type = typeOfJson(value);
  if (!types.has(type) || (integer && type === 'number' && !Number.isInteger(value))) return false;
  const values = listOf(node, 'enum');
  if (values !== undefined && !includesJson(values, value)) return false;
  const constant = own(node.schema, 'const');
  if (constant !== undefined && canonicalText(constant) !== canonicalText(value)) return false;
  if (typeof value === 'number') return isValidNumber(node, value);
  if (typeof value === 'string') return isValidText(document, node, value);
  const check = checkOf(document, node, value, depth);
  if (isArray(value)) return isValidArray(node, value, check);
  return isObject(value) ? isValidObject(document, node, value, check) : true;
}

function checkOf(document: SchemaDocument, node: SchemaNode, value: Json, depth: number): Check {
  return (schema, keyword, step, part = value) =>
    isValid(document, document.child(node, schema, keyword, step), part, depth + 1);
}

function combines(document: SchemaDocument, node: SchemaNode, value: Json, depth: number): boolean {
  const check = checkOf(document, node, value, depth);
  if (!referred(document, node).every((target) => isValid(document, target, value, depth + 1))) return false;
  const all = (keyword: string) =>
    (listOf(node, keyword) ?? []).map((schema, index) => check(schema, keyword, index));
  if (all('allOf').includes(false)) return false;
  if (listOf(node, 'anyOf') !== undefined && !all('anyOf').includes(true)) return false;
  if (listOf(node, 'oneOf') !== undefined && all('oneOf').filter(Boolean).length !== 1) return false;
  const excluded = own(node.schema, 'not');
  if (excluded !== undefined && check(excluded, 'not')) return false;
  const condition = own(node.schema, 'if');
  if (condition === undefined) return true;
  const next = check(condition, 'if') ? 'then' : 'else';
  return check(own(node.schema, next) ?? true, next);
}

function isValidNumber(node: SchemaNode, value: number): boolean {
  const { min, minExcluded, max, maxExcluded } = boundsOf(node);
  if (value < min || value > max || (minExcluded && value === min) || (maxExcluded && value === max))
    return false;
  const step = numberOf(node, 'multipleOf');
  if (step !== undefined && !Number.isInteger(value / step)) return false;
  const bounds = wholeNumberFormats.get(textOf(node, 'format') ?? '');
  return bounds === undefined || (Number.isInteger(value) && value >= bounds.min && value <= bounds.max);
}

function isCount(node: SchemaNode, what: CountedPart, count: number): boolean {
  const { min, max } = countsOf([node], what);
  return count >= min && count <= max;
}

function isValidText(document: SchemaDocument, node: SchemaNode, value: string): boolean {
  if (!isCount(node, 'Length', Array.from(value).length)) return false;
  const pattern = textOf(node, 'pattern');
  if (pattern !== undefined && !document.patterns.matches(node, 'pattern', pattern, value)) return false;
  const format = textOf(node, 'format');
  const expected = format === undefined ? undefined : patternOfFormat(format);
  if (format === undefined || expected === undefined) return true;
  if (document.patterns.matches(node, 'format', expected, value)) return true;
  const superset = formatSupersets.get(format);
  if (superset !== undefined && document.patterns.matches(node, 'format', superset, value))
    throw refusal(node.path, 'format', `validators may differ in whether '${value}' is valid; leave it out.`);
  return false;
}

/** Whether `part` (by default the array or object itself) is valid against the subschema at `keyword` and `step`. */
type Check = (schema: Json, keyword: string, step?: string | number, part?: Json) => boolean;

/** Whether the keywords of `node` for arrays allow `value`. */
function isValidArray(node: SchemaNode, value: readonly Json[], check: Check): boolean {
  if (!isCount(node, 'Items', value.length)) return false;
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
function isValidObject(document: SchemaDocument, node: SchemaNode, value: JsonObject, check: Check): boolean {
  const names = Object.keys(value);
  if (!isCount(node, 'Properties', names.length)) return false;
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
