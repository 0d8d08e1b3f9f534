import { constraintBeyond } from '../../../../grammar/compile-schema.ts';
import { gbnfLiteral } from '../../../../grammar/gbnf.ts';
import type { JsonObject, JsonValue } from '../../../types.ts';
import { ArgumentTypes } from '../argument-types.ts';
import { isJsonArray, isJsonObject, itemKey } from '../call-arguments.ts';
import { isPlainObject } from '../flat-parameters.ts';
import {
  argumentPattern,
  parameterBegin,
  type ArgumentContext,
  type ParameterShape,
} from './argument-pattern.ts';
import { looseLiteral } from './grammar-texts.ts';
import { sequenceOf } from './argument-sequence.ts';
import { endOf, type ParametersShape } from '../tool-syntax.ts';

/** The keywords that constrain lists and are honoured where items are elements. */
const listKeywords = new Set(['type', 'items']);

/** The context of one tool's arguments; `at` leads to their schema. */
export type ArgumentsContext = ArgumentContext & { readonly at: readonly (string | number)[] };

/**
 * Grammar text for the arguments of one call, each written by itself, in any order. `schema` is flat, and references in
 * it point into `root`. Text without quotes never holds the marker that ends it. Throws invalid_json_schema for what
 * cannot be enforced in this form.
 */
export function parameterGrammar(
  shape: ParameterShape,
  schema: JsonObject,
  root: JsonObject,
  context: ArgumentsContext,
): string {
  const { rules, prefix, at } = context;
  const required = new Set(listOf(schema['required']));
  const types = new ArgumentTypes(schema, root);
  const separator = separatorOf(shape);
  const declared = Object.entries(isJsonObject(schema['properties']) ? schema['properties'] : {});
  const list = namesOf(schema, required).map((key, index) => {
    const property = declared.find(([name]) => name === key)?.[1];
    const place = property === undefined ? 'additionalProperties' : 'properties';
    const inner = { ...context, prefix: `${prefix}${index}-` };
    const steps = property === undefined ? [...at, place] : [...at, place, key];
    const pattern = parameterPattern(shape, key, property, types, root, { ...inner, at: steps });
    return { rule: rules.define(`${prefix}argument-${index}`, pattern), required: required.has(key) };
  });
  if (list.length > 0 || !isOpen(schema)) return wrap(shape, sequenceOf(list, separator, rules, prefix));
  const any = { ...context, prefix: `${prefix}any-`, at: undefined };
  const one = rules.define(`${prefix}any`, argumentPattern(shape, undefined, anything, any));
  return wrap(shape, `(${one} (${separator} ${one})*)?`);
}

/**
 * As `argumentPattern`. Objects and lists with plain schemas are written as further parameters where the shape has them
 * so; others, which take more than that to be enforced, as JSON, which readers take as well.
 */
function parameterPattern(
  shape: ParameterShape,
  key: string,
  schema: JsonValue | undefined,
  types: ArgumentTypes,
  root: JsonObject,
  context: ArgumentsContext,
): string {
  const kind = { types: types.typesOf(key), takesAnyText: types.takesAnyText(key) };
  const isNested = shape.kind === 'parameters' && shape.nested && kind.types.size === 1;
  const inner = isNested && isJsonObject(schema) ? elementsPattern(shape, schema, root, context) : undefined;
  if (inner === undefined || shape.kind !== 'parameters') return argumentPattern(shape, key, kind, context);
  const begin = parameterBegin(shape, gbnfLiteral(key), shape.keyEnd.other);
  return `${begin} ${inner} ${gbnfLiteral(endOf(shape, key))}`;
}

/** Grammar text for the elements in a value of `schema`; undefined where it is to be JSON. */
function elementsPattern(
  shape: ParametersShape,
  schema: JsonObject,
  root: JsonObject,
  context: ArgumentsContext,
): string | undefined {
  const { rules, prefix, at } = context;
  const { type, properties, items } = schema;
  if (type === 'object' && isJsonObject(properties) && isPlainObject(schema))
    return parameterGrammar(shape, schema, root, context);
  if (type !== 'array' || !isJsonObject(items) || constraintBeyond(schema, listKeywords) !== undefined)
    return undefined;
  const ofItem = new ArgumentTypes({ properties: { [itemKey]: items } }, root);
  const inner = { ...context, prefix: `${prefix}item-`, at: [...at, 'items'] };
  const one = rules.define(`${prefix}item`, parameterPattern(shape, itemKey, items, ofItem, root, inner));
  return `(${one} (${separatorOf(shape)} ${one})*)?`;
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  value !== undefined && isJsonArray(value) ? value : [];

/**
 * The names of the properties that `schema` declares, in their order, then those that it only requires. A name with half
 * a surrogate pair cannot be written.
 */
function namesOf({ properties }: JsonObject, required: ReadonlySet<JsonValue>): string[] {
  const declared = (isJsonObject(properties) ? Object.entries(properties) : []).filter(
    ([key, value]) => value !== false || required.has(key),
  );
  const undeclared = [...required].filter((key) => typeof key === 'string');
  const names = new Set([...declared.map(([key]) => key), ...undeclared]);
  return [...names].filter((name) => name.isWellFormed());
}

/** Whether the schema says nothing of properties, so that there may be any. */
const isOpen = ({ type, properties, additionalProperties = true }: JsonObject): boolean =>
  type !== undefined && properties === undefined && additionalProperties === true;

/** The kind of a value of which the schema says nothing. */
const anything = { types: new ArgumentTypes().typesOf(''), takesAnyText: true };

function separatorOf(shape: ParameterShape): string {
  if (shape.kind === 'pythonic') return '"," " "?';
  if (shape.kind === 'bare-keys') return '","';
  return looseLiteral(shape.separator) || '""';
}

function wrap(shape: ParameterShape, inner: string): string {
  if (shape.kind === 'pythonic') return `"(" ${inner} ")"`;
  return shape.kind === 'bare-keys' ? `"{" ${inner} "}"` : inner;
}
