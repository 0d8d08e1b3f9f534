import { AppError } from '../../../../errors/errors.ts';
import { constraintBeyond } from '../../../../grammar/compile-schema.ts';
import { gbnfLiteral } from '../../../../grammar/gbnf.ts';
import type { JsonObject, JsonValue } from '../../../types.ts';
import { ArgumentTypes, type JsonType } from '../argument-types.ts';
import { definitionsOf, isJsonObject, itemKey } from '../call-arguments.ts';
import { looseLiteral, type RuleSet } from './grammar-texts.ts';
import { parameterBegin, parameterPattern, type ParameterShape } from './parameter-pattern.ts';
import { endOf } from '../tool-syntax.ts';
import type { SchemaCompiler, ValueContext } from './raw-value-grammar.ts';

/** The keywords that constrain lists and are honoured where items are elements. */
const listKeywords = new Set(['type', 'items']);

/** The keywords that constrain objects and are honoured where arguments are not written as one JSON object. */
const understood = new Set(['type', 'properties', 'required', 'additionalProperties', 'nullable']);

/**
 * Grammar text for the arguments of one call, each written by itself, in the order of the schema. Text without quotes
 * never holds the marker that ends it. Throws invalid_json_schema for what cannot be enforced in this form.
 */
export function parameterGrammar(
  shape: ParameterShape,
  parameters: JsonObject | undefined,
  rules: RuleSet,
  compile: SchemaCompiler,
  prefix: string,
): string {
  const schema = parameters ?? {};
  const beyond = constraintBeyond(schema, understood);
  if (beyond !== undefined)
    throw new AppError(
      'invalid_json_schema',
      `The keyword '${beyond}' cannot be honoured: this model writes arguments one by one, not as one object.`,
      { param: beyond },
    );
  const others = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !understood.has(keyword)));
  rules.noteIgnored(compile({ ...others, type: 'null' }, { prefix }).ignored);
  const required = new Set(
    Array.isArray(schema['required']) ? (schema['required'] as readonly JsonValue[]) : [],
  );
  const types = new ArgumentTypes(schema);
  const list = propertiesOf(schema, required).map(([key, value], index): Parameter => {
    const context = { rules, compile, prefix: `${prefix}${index}-` };
    const pattern = rules.at(`properties.${key}`, () =>
      argumentPattern(shape, key, withDefinitions(value, schema), types.typesOf(key), context),
    );
    return { rule: rules.define(`${prefix}argument-${index}`, pattern), required: required.has(key) };
  });
  if (list.length === 0 && isOpen(schema)) return wrap(shape, anyArguments(shape, rules, compile, prefix));
  return wrap(shape, sequenceOf(list, separatorOf(shape), rules, prefix));
}

/**
 * As `parameterPattern`. Objects and lists with plain schemas are written as further parameters where the shape has
 * them so; others, which take more than that to be enforced, as JSON, which readers take as well.
 */
function argumentPattern(
  shape: ParameterShape,
  key: string,
  schema: JsonObject,
  types: ReadonlySet<JsonType>,
  context: Omit<ValueContext, 'end'>,
): string {
  const inner =
    shape.kind === 'parameters' && shape.nested && types.size === 1
      ? elementsPattern(shape, schema, types, context)
      : undefined;
  if (inner === undefined || shape.kind !== 'parameters')
    return parameterPattern(shape, key, schema, types, context);
  const begin = parameterBegin(shape, gbnfLiteral(key), shape.keyEnd.other);
  return `${begin} ${inner} ${gbnfLiteral(endOf(shape, key))}`;
}

/** Grammar text for the elements in a value of `schema`; undefined where it is to be JSON. */
function elementsPattern(
  shape: ParameterShape,
  schema: JsonObject,
  types: ReadonlySet<JsonType>,
  { rules, compile, prefix }: Omit<ValueContext, 'end'>,
): string | undefined {
  const { properties, items, type: _, ...others } = schema;
  if (types.has('object') && isJsonObject(properties) && constraintBeyond(schema, understood) === undefined)
    return parameterGrammar(shape, schema, rules, compile, prefix);
  if (!types.has('array') || !isJsonObject(items) || constraintBeyond(schema, listKeywords) !== undefined)
    return undefined;
  rules.noteIgnored(compile({ ...others, type: 'null' }, { prefix }).ignored);
  const item = withDefinitions(items, schema);
  const ofItem = new ArgumentTypes({ ...others, properties: { [itemKey]: items } }).typesOf(itemKey);
  const pattern = rules.at('items', () =>
    argumentPattern(shape, itemKey, item, ofItem, { rules, compile, prefix: `${prefix}item-` }),
  );
  const one = rules.define(`${prefix}item`, pattern);
  return `(${one} (${separatorOf(shape)} ${one})*)?`;
}

interface Parameter {
  readonly rule: string;
  readonly required: boolean;
}

/** The properties that `schema` declares, in their order, then those that it only requires. */
function propertiesOf(schema: JsonObject, required: ReadonlySet<JsonValue>): [string, JsonValue][] {
  const { properties, additionalProperties = true } = schema;
  const declared = (isJsonObject(properties) ? Object.entries(properties) : []).filter(
    ([key, value]) => value !== false || required.has(key),
  );
  const undeclared = [...required].filter(
    (key): key is string => typeof key === 'string' && !declared.some(([name]) => name === key),
  );
  return [...declared, ...undeclared.map((key): [string, JsonValue] => [key, additionalProperties])];
}

/** Whether the schema says nothing of properties, so that there may be any. */
const isOpen = ({ type, properties, additionalProperties = true }: JsonObject): boolean =>
  type !== undefined && properties === undefined && additionalProperties === true;

/** Grammar text for any arguments under any names. */
function anyArguments(
  shape: ParameterShape,
  rules: RuleSet,
  compile: SchemaCompiler,
  prefix: string,
): string {
  const context = { rules, compile, prefix: `${prefix}any-` };
  const one = rules.define(`${prefix}any`, parameterPattern(shape, undefined, {}, everyType, context));
  return `(${one} (${separatorOf(shape)} ${one})*)?`;
}

/** The types of a value of which the schema says nothing. */
const everyType = new ArgumentTypes(undefined).typesOf('');

/** Grammar text for the parameters in their order, without any number of optional ones. It needs two rules for each. */
function sequenceOf(list: readonly Parameter[], separator: string, rules: RuleSet, prefix: string): string {
  const name = (index: number, any: boolean) => `${prefix}${any ? 'more' : 'from'}-${index}`;
  const rest = (index: number, any: boolean) => (index === list.length ? '' : ` ${name(index, any)}`);
  for (const [index, parameter] of list.entries())
    for (const any of [false, true]) {
      const taken = `${any ? `${separator} ` : ''}${parameter.rule}${rest(index + 1, true)}`;
      const left = rest(index + 1, any).trim();
      rules.define(name(index, any), parameter.required ? taken : `${taken} | ${left === '' ? '""' : left}`);
    }
  return list.length === 0 ? '""' : name(0, false);
}

function separatorOf(shape: ParameterShape): string {
  if (shape.kind === 'pythonic') return '"," " "?';
  if (shape.kind === 'bare-keys') return '","';
  return looseLiteral(shape.separator) || '""';
}

function wrap(shape: ParameterShape, inner: string): string {
  if (shape.kind === 'pythonic') return `"(" ${inner} ")"`;
  return shape.kind === 'bare-keys' ? `"{" ${inner} "}"` : inner;
}

/** The schema of one property with the definitions of `root`, so that it can be compiled on its own. */
function withDefinitions(value: JsonValue, root: JsonObject): JsonObject {
  const schema = isJsonObject(value) ? value : value === false ? { not: {} } : {};
  return { ...schema, ...definitionsOf(root) };
}
