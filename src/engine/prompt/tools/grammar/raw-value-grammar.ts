import { AppError } from '../../../../errors.ts';
import type { CompiledSchema } from '../../../grammar/compilation.ts';
import { gbnfLiteral } from '../../../grammar/text/gbnf-text.ts';
import type { JsonObject, JsonValue } from '../../../types.ts';
import { charBefore, untilMarker, type RuleSet } from './grammar-texts.ts';

export type SchemaCompiler = (schema: unknown, options: { readonly prefix: string }) => CompiledSchema;

/** What a value's grammar is made from. */
export interface ValueContext {
  readonly rules: RuleSet;
  readonly compile: SchemaCompiler;
  /** Where raw text ends. */
  readonly end: string;
  /** Prefix of the rules of this value; no other value has it. */
  readonly prefix: string;
}

const shortening = ['pattern', 'format', 'minLength', 'maxLength', 'not'];

/**
 * A pattern for text without quotes that satisfies `schema`, with the end behind it; it begins with none of the
 * characters `notFirst`. Throws invalid_json_schema.
 */
export function rawText(schema: JsonObject, context: ValueContext, notFirst = ''): string {
  const { rules, end } = context;
  const named = namedTexts(schema);
  if (named) {
    const possible = named.filter((text) => !text.includes(end.trim()) && !notFirst.includes(text.charAt(0)));
    if (possible.length === 0)
      throw cannotWrite('enum', 'none of its texts can be written in this model’s calls');
    return `(${possible.map(gbnfLiteral).join(' | ')}) ${gbnfLiteral(end)}`;
  }
  const trimmed = end.trimStart();
  if (!constrains(schema)) {
    const until = untilMarker(rules, `until-${ruleNameOf(trimmed)}`, trimmed);
    return notFirst === ''
      ? until
      : `(${gbnfLiteral(trimmed)} | ${charBefore(notFirst + trimmed.charAt(0))} ${until})`;
  }
  return `${constrainedText(schema, context)} ${gbnfLiteral(end)}`;
}

/** A pattern for one JSON value of `schema`, with the end behind it. */
export function jsonValue(schema: JsonValue, { rules, compile, end, prefix }: ValueContext): string {
  const compiled = compile(schema, { prefix });
  rules.addAll(compiled.rules);
  return `${compiled.rootRule} ${gbnfLiteral(end)}`;
}

/**
 * The rule of the schema's JSON strings with the quotes taken off: of those without anything that JSON escapes and
 * without the end's first character, what stands between the quotes is the text itself.
 */
function constrainedText(schema: JsonObject, { rules, compile, end, prefix }: ValueContext): string {
  const first = Array.from(end.trim())[0] ?? '<';
  const excluded = /[\w\s]/.test(first) ? first : `\\${first}`;
  const plain = `^[^"\\\\\\u0000-\\u001f\\u007f-\\u009f${excluded}]*$`;
  const compiled = compileNarrowed(schema, { type: 'string', pattern: plain }, compile, prefix);
  rules.addAll(compiled.rules);
  const text = compiled.rules.get(compiled.rootRule) ?? '';
  const inner = /^"\\"(.*)\\""$/s.exec(text)?.[1];
  if (inner === undefined || hasTopLevelChoice(text))
    throw cannotWrite(
      'pattern',
      'this model writes texts without quotes, and the pattern cannot be enforced there',
    );
  // What is left of the two literals that held the quotes is closed again, or gone.
  const unquoted = `"${inner}"`.replace(/^"" /, '').replace(/ ""$/, '');
  return rules.define(`${prefix}text`, unquoted);
}

function constrains(schema: JsonObject): boolean {
  const parts = [schema['allOf'], schema['anyOf'], schema['oneOf']].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  return shortening.some((keyword) => keyword in schema) || '$ref' in schema || parts.length > 0;
}

function namedTexts(schema: JsonObject): string[] | undefined {
  const { const: only, enum: several } = schema;
  if (constrains(schema)) return undefined;
  const values =
    only !== undefined ? [only] : Array.isArray(several) ? (several as readonly JsonValue[]) : undefined;
  return values?.filter((value) => typeof value === 'string');
}

/** The rules of the documents that satisfy `schema` and `narrowing`; a refusal names the keyword as `schema` has it. */
export function compileNarrowed(
  schema: JsonObject,
  narrowing: JsonObject,
  compile: SchemaCompiler,
  prefix: string,
): CompiledSchema {
  const { $defs, definitions } = schema;
  const both = { allOf: [schema, narrowing], ...($defs && { $defs }), ...(definitions && { definitions }) };
  try {
    return compile(both, { prefix });
  } catch (error) {
    if (!(error instanceof AppError) || error.param === null) throw error;
    const param = error.param.replace(/^allOf\[\d\]\.?/, '');
    throw new AppError(error.code, error.message, { ...(param !== '' && { param }), cause: error });
  }
}

function hasTopLevelChoice(rule: string): boolean {
  let depth = 0;
  for (const part of rule.matchAll(/"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|[()|]/g)) {
    if (part[0] === '(') depth++;
    else if (part[0] === ')') depth--;
    else if (part[0] === '|' && depth === 0) return true;
  }
  return false;
}

const ruleNameOf = (marker: string) =>
  Array.from(marker, (char) =>
    /[a-zA-Z0-9]/.test(char) ? char : (char.codePointAt(0) ?? 0).toString(16),
  ).join('');

const cannotWrite = (keyword: string, why: string) =>
  new AppError('invalid_json_schema', `The schema's ${keyword} cannot be honoured: ${why}.`, {
    param: keyword,
  });
