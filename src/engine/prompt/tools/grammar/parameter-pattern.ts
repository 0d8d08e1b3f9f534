import { gbnfLiteral } from '../../../grammar/text/gbnf-text.ts';
import type { JsonObject, JsonValue } from '../../../types.ts';
import type { JsonType } from '../argument-types.ts';
import { isJsonObject } from '../call-arguments.ts';
import { looseLiteral } from './grammar-texts.ts';
import { compileNarrowed, jsonValue, rawText, type ValueContext } from './raw-value-grammar.ts';
import { cdata, keyEndOf, type ArgumentsShape } from '../tool-syntax.ts';

/** How arguments look that are written one by one. */
export type ParameterShape = Exclude<ArgumentsShape, { readonly kind: 'json' }>;

/**
 * Grammar text for one argument: its name, for which `key` is the grammar text, and a value of `schema`. `types` are
 * the types that the schema allows. Throws invalid_json_schema.
 */
export function parameterPattern(
  shape: ParameterShape,
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
  const narrowed = (of: readonly JsonType[], keyEnd: string) => {
    const prefix = context.prefix + (shape.typed ? of.join() : '');
    const compiled = compileNarrowed(schema, { type: of }, context.compile, prefix);
    return `${begin(keyEnd)} ${context.rules.addAll(compiled)} ${gbnfLiteral(end)}`;
  };
  if (shape.strings === 'json') return `${begin(other)} ${jsonValue(schema, { ...context, end })}`;
  const text = (notFirst = '') => {
    const values = { ...context, prefix: `${context.prefix}text-`, end };
    const part = isText ? schema : textPart(schema);
    if (shape.cdata === undefined) return `${begin(string)} ${rawText(part, values, notFirst)}`;
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

/** The definitions of `schema` that references may point to. */
export const definitionsOf = (schema: JsonObject): JsonObject => ({
  ...(isJsonObject(schema['$defs']) && { $defs: schema['$defs'] }),
  ...(isJsonObject(schema['definitions']) && { definitions: schema['definitions'] }),
});
