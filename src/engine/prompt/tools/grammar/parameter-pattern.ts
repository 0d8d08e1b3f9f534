import { gbnfLiteral } from '../../../../grammar/gbnf.ts';
import type { JsonObject, JsonValue } from '../../../types.ts';
import type { JsonType } from '../argument-types.ts';
import { definitionsOf, isJsonObject } from '../call-arguments.ts';
import { looseLiteral } from './grammar-texts.ts';
import { compileNarrowed, jsonValue, rawText, type ValueContext } from './raw-value-grammar.ts';
import { cdata, endOf, keyEndOf, type ArgumentsShape, type ParametersShape } from '../tool-syntax.ts';

/** How arguments look that are written one by one. */
export type ParameterShape = Exclude<ArgumentsShape, { readonly kind: 'json' }>;

/**
 * Grammar text for one argument: its name, which may be any where it is undefined, and a value of `schema`. `types`
 * are the types that the schema allows. Throws invalid_json_schema.
 */
export function parameterPattern(
  shape: ParameterShape,
  name: string | undefined,
  schema: JsonObject,
  types: ReadonlySet<JsonType>,
  context: Omit<ValueContext, 'end'>,
): string {
  const isText = types.size === 1 && types.has('string');
  const key = name === undefined ? anyKey : gbnfLiteral(name);
  if (shape.kind === 'pythonic') return `${key} "=" ${jsonValue(schema, { ...context, end: '' })}`;
  if (shape.kind === 'bare-keys') {
    const begin = `${key} ":"`;
    if (!isText) return `${begin} ${jsonValue(schema, { ...context, end: '' })}`;
    return `${begin} ${gbnfLiteral(shape.quote)} ${rawText(schema, { ...context, end: shape.quote })}`;
  }
  const begin = (end: string) => parameterBegin(shape, key, end);
  const { string, other } = shape.keyEnd;
  const end = name === undefined ? shape.end : endOf(shape, name);
  const anyEnd = shape.nested && name === undefined ? ` ${key} ${gbnfLiteral(other)}` : '';
  const narrowed = (of: readonly JsonType[], keyEnd: string) => {
    const prefix = context.prefix + (shape.typed ? of.join() : '');
    const compiled = compileNarrowed(schema, { type: of }, context.compile, prefix);
    return `${begin(keyEnd)} ${context.rules.addAll(compiled)} ${gbnfLiteral(end)}`;
  };
  if (shape.strings === 'json') return `${begin(other)} ${jsonValue(schema, { ...context, end })}`;
  const text = (apart = '') => {
    const notFirst = shape.nested && !isText ? apart + shape.begin.charAt(0) : apart;
    const values = { ...context, prefix: `${context.prefix}text-`, end };
    const part = isText ? schema : textPart(schema);
    if (shape.cdata === undefined) return `${begin(string)} ${rawText(part, values, notFirst)}${anyEnd}`;
    const wrapped = `${gbnfLiteral(cdata.begin)} ${rawText(part, { ...values, end: cdata.end + end })}`;
    return `${begin(string)} (${rawText(part, values, `<${notFirst}`)} | ${wrapped})`;
  };
  // Each type has a beginning of its own here, so that there is nothing to keep apart.
  if (shape.typed === true)
    return [...types]
      .map((type) => (type === 'string' ? text() : narrowed([type], keyEndOf(shape, type))))
      .join(' | ');
  // A value that may be anything may be any text; it does not matter which type the text is read as.
  if (isText || Object.keys(schema).every((keyword) => silent.has(keyword))) return text();
  if (!types.has('string')) return `${begin(other)} ${jsonValue(schema, { ...context, end })}`;
  const rest = [...types].filter((type) => type !== 'string');
  // Where both a text and a number are allowed, digits are read as text: numbers need no pattern of their own.
  const apart = rest.filter((type) => type !== 'number');
  const guarded = text(apart.some((type) => type === 'array' || type === 'object') ? '[{' : '');
  return apart.length === 0 ? guarded : `${guarded} | ${narrowed(apart, other)}`;
}

/** Grammar text for the name of an argument of which the schema says nothing. */
const anyKey = '[a-zA-Z_] [a-zA-Z0-9_]{0,31}';

/** Grammar text for what stands before a value. */
export const parameterBegin = (shape: ParametersShape, key: string, keyEnd: string): string =>
  `${looseLiteral(shape.begin.trimStart())} ${key} ${gbnfLiteral(keyEnd)}`;

/** Keywords that restrict nothing. */
const silent = new Set(['title', 'description', 'default', 'examples', '$defs', 'definitions', 'deprecated']);

/** A schema for the texts of a schema that allows several types. */
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
