import { canonicalText, includesJson } from '../schema/json-text.ts';
import { isArray, isObject, own, type Json } from '../schema/json-value.ts';
import { boundsOf, countOf, listOf, numberOf, textOf, typesOf, type JsonType } from '../schema/keywords.ts';
import { referred } from '../schema/subschemas.ts';
import { isValidArray, isValidObject, type Check } from './validate-members.ts';
import { checkKeywords } from '../schema/check-keywords.ts';
import { formatSupersets, patternOfFormat, wholeNumberFormats } from '../language/format-patterns.ts';
import { refusal } from '../budget/refusal.ts';
import type { SchemaDocument, SchemaNode } from '../schema/schema-document.ts';

const maxDepth = 200;
/** The steps to check one value against the keywords of one schema. */
const stepsPerValue = 10;

/** The JSON type of `value`. */
export function typeOfJson(value: Json): JsonType {
  if (value === null) return 'null';
  if (isArray(value)) return 'array';
  const type = typeof value;
  return type === 'object'
    ? 'object'
    : type === 'string'
      ? 'string'
      : type === 'number'
        ? 'number'
        : 'boolean';
}

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

function isValidText(document: SchemaDocument, node: SchemaNode, value: string): boolean {
  const length = Array.from(value).length;
  if (length < (countOf(node, 'minLength') ?? 0) || length > (countOf(node, 'maxLength') ?? Infinity))
    return false;
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
