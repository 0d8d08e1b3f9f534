import { AppError } from '../../../../errors.ts';
import { gbnfLiteral } from '../../../grammar/text/gbnf-text.ts';
import type { JsonObject, JsonValue } from '../../../types.ts';
import { ArgumentTypes, type JsonType } from '../argument-types.ts';
import { isJsonObject } from '../call-arguments.ts';
import { atPath, looseLiteral, type RuleSet } from './grammar-texts.ts';
import {
  compileNarrowed,
  jsonValue,
  rawText,
  type SchemaCompiler,
  type ValueContext,
} from './raw-value-grammar.ts';
import type { ArgumentsShape } from '../tool-syntax.ts';

type Shape = Exclude<ArgumentsShape, { readonly kind: 'json' }>;

/** What an object schema may say besides its properties where arguments are not written as one JSON object. */
const understood = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  '$defs',
  'definitions',
  'strict',
  'nullable',
  'title',
  'description',
  'default',
  'examples',
  '$schema',
  '$id',
  '$comment',
  'deprecated',
]);

/**
 * A pattern for the arguments of one call, each written by itself in the order of the schema. Text without quotes
 * never holds what ends it. Throws invalid_json_schema for what cannot be enforced in this form.
 */
export function parameterGrammar(
  shape: Shape,
  parameters: JsonObject | undefined,
  rules: RuleSet,
  compile: SchemaCompiler,
  prefix: string,
): string {
  const schema = parameters ?? {};
  const beyond = Object.keys(schema).find((keyword) => !understood.has(keyword));
  if (beyond !== undefined)
    throw new AppError(
      'invalid_json_schema',
      `The keyword '${beyond}' cannot be honoured: this model writes arguments one by one, not as one object.`,
      { param: beyond },
    );
  const required = new Set(
    Array.isArray(schema['required']) ? (schema['required'] as readonly JsonValue[]) : [],
  );
  const types = new ArgumentTypes(schema);
  const list = propertiesOf(schema, required).map(([key, value], index): Parameter => {
    const context = { rules, compile, prefix: `${prefix}${index}-` };
    const pattern = atPath(`properties.${key}`, () =>
      parameterPattern(shape, gbnfLiteral(key), withDefinitions(value, schema), types.typesOf(key), context),
    );
    return { rule: rules.define(`${prefix}argument-${index}`, pattern), required: required.has(key) };
  });
  if (list.length === 0 && isOpen(schema)) return wrap(shape, anyArguments(shape, rules, compile, prefix));
  return wrap(shape, sequenceOf(list, separatorOf(shape), rules, prefix));
}

interface Parameter {
  readonly rule: string;
  readonly required: boolean;
}

/** Declared ones in their order, then those that are only required. */
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

/** Nothing is said of the properties: there may be any. */
const isOpen = ({ type, properties, additionalProperties = true }: JsonObject): boolean =>
  type !== undefined && properties === undefined && additionalProperties === true;

function anyArguments(shape: Shape, rules: RuleSet, compile: SchemaCompiler, prefix: string): string {
  const context = { rules, compile, prefix: `${prefix}any-` };
  const key = '[a-zA-Z_] [a-zA-Z0-9_]{0,31}';
  const one = rules.define(`${prefix}any`, parameterPattern(shape, key, {}, everyType, context));
  return `(${one} (${separatorOf(shape)} ${one})*)?`;
}

const everyType = new ArgumentTypes(undefined).typesOf('');

function parameterPattern(
  shape: Shape,
  key: string,
  schema: JsonObject,
  types: ReadonlySet<JsonType>,
  context: Omit<ValueContext, 'end'>,
): string {
  const isText = types.size === 1 && types.has('string');
  if (shape.kind === 'pythonic') return `${key} "=" ${jsonValue(schema, { ...context, end: '' })}`;
  if (shape.kind === 'bare-keys') {
    const begin = `${key} ":"`;
    if (!isText) return `${begin} ${jsonValue(schema, { ...context, end: '' })}`;
    return `${begin} ${gbnfLiteral(shape.quote)} ${rawText(schema, { ...context, end: shape.quote })}`;
  }
  const begin = (end: string) => `${looseLiteral(shape.begin.trimStart())} ${key} ${gbnfLiteral(end)}`;
  const { string, other } = shape.keyEnd;
  const { end } = shape;
  if (shape.strings === 'json') return `${begin(other)} ${jsonValue(schema, { ...context, end })}`;
  const text = (notFirst = '') =>
    `${begin(string)} ${rawText(isText ? schema : textPart(schema), { ...context, prefix: `${context.prefix}text-`, end }, notFirst)}`;
  // What may be anything may be any text, whatever it is read as.
  if (isText || Object.keys(schema).every((keyword) => silent.has(keyword))) return text();
  if (!types.has('string')) return `${begin(other)} ${jsonValue(schema, { ...context, end })}`;
  const rest = [...types].filter((type) => type !== 'string');
  const json = (of: readonly JsonType[]) => {
    const compiled = compileNarrowed(schema, { type: of }, context.compile, context.prefix);
    context.rules.addAll(compiled.rules);
    return `${begin(other)} ${compiled.rootRule} ${gbnfLiteral(end)}`;
  };
  // Digits beside a text are read as text.
  const apart = rest.filter((type) => type !== 'number');
  const guarded = text(apart.some((type) => type === 'array' || type === 'object') ? '[{' : '');
  return apart.length === 0 ? guarded : `${guarded} | ${json(apart)}`;
}

/** Keywords that restrict nothing. */
const silent = new Set(['title', 'description', 'default', 'examples', '$defs', 'definitions', 'deprecated']);

/** Of a schema that allows several types, what it says of text. */
function textPart(schema: JsonObject): JsonObject {
  const { anyOf, oneOf, ...rest } = schema;
  const alternatives = anyOf ?? oneOf;
  if (alternatives === undefined) return { ...rest, type: 'string' };
  const texts = Array.isArray(alternatives)
    ? (alternatives as readonly JsonValue[]).filter((part) => isJsonObject(part) && part['type'] === 'string')
    : [];
  const [only] = texts;
  if (texts.length === 1 && isJsonObject(only)) return { ...rest, ...only };
  return { allOf: [schema, { type: 'string' }], ...definitionsOf(schema) };
}

/** The parameters in their order, those left out that may be; nothing but a rule for each place in the list. */
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

function separatorOf(shape: Shape): string {
  if (shape.kind === 'pythonic') return '"," " "?';
  if (shape.kind === 'bare-keys') return '","';
  return looseLiteral(shape.separator) || '""';
}

function wrap(shape: Shape, inner: string): string {
  if (shape.kind === 'pythonic') return `"(" ${inner} ")"`;
  return shape.kind === 'bare-keys' ? `"{" ${inner} "}"` : inner;
}

/** The schema of one property as a document of its own. */
function withDefinitions(value: JsonValue, root: JsonObject): JsonObject {
  const schema = isJsonObject(value) ? value : value === false ? { not: {} } : {};
  return { ...schema, ...definitionsOf(root) };
}

const definitionsOf = (schema: JsonObject): JsonObject => ({
  ...(isJsonObject(schema['$defs']) && { $defs: schema['$defs'] }),
  ...(isJsonObject(schema['definitions']) && { definitions: schema['definitions'] }),
});
