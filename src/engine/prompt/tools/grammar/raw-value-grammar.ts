import { AppError } from '../../../../errors/errors.ts';
import { compileRawText } from '../../../../grammar/compile-raw-text.ts';
import type { CompileOptions } from '../../../../grammar/compile-schema.ts';
import { gbnfLiteral, type CompiledSchema } from '../../../../grammar/gbnf.ts';
import type { JsonObject, JsonValue } from '../../../types.ts';
import { charBefore, textChars, untilMarker, type RuleSet } from './grammar-texts.ts';

export type SchemaCompiler = (
  schema: unknown,
  options: Pick<CompileOptions, 'prefix' | 'strict'>,
) => CompiledSchema;

/** The rules, compiler and texts with which the functions of this file write the grammar of one value. */
export interface ValueContext {
  readonly rules: RuleSet;
  readonly compile: SchemaCompiler;
  /** The marker that ends raw text. */
  readonly end: string;
  /** The prefix for names of this value's rules; no other value has the same. */
  readonly prefix: string;
}

const shortening = ['pattern', 'format', 'minLength', 'maxLength', 'not'];

/**
 * Grammar text for text without quotes that satisfies `schema`, and the end marker after it. The text begins with none
 * of the characters `notFirst`. Throws invalid_json_schema.
 */
export function rawText(schema: JsonObject, context: ValueContext, notFirst = ''): string {
  const { rules, end, compile, prefix } = context;
  const named = namedTexts(schema);
  // Its keywords are checked as those of any other schema, though the text needs no grammar of JSON.
  if (!constrains(schema)) rules.noteIgnored(compile(schema, { prefix }).ignored);
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

/** Grammar text for one JSON value of `schema`, and the end marker after it. */
export function jsonValue(schema: JsonValue, { rules, compile, end, prefix }: ValueContext): string {
  return `${rules.addAll(compile(schema, { prefix }))} ${gbnfLiteral(end)}`;
}

/**
 * The name of a rule for texts of `schema` without quotes. It is the rule for JSON strings with the quotes taken off.
 * These strings hold nothing that JSON escapes, so what stands between the quotes is the text itself; nor do they hold
 * the first character of the end marker.
 */
function constrainedText(schema: JsonObject, { rules, compile, end, prefix }: ValueContext): string {
  const { type, pattern, ...others } = schema;
  if (type === 'string' && typeof pattern === 'string' && Object.keys(others).length === 0)
    return rules.addAll(compileRawText(pattern, { chars: textChars, marker: end.trim(), prefix }));
  const first = Array.from(end.trim())[0] ?? '<';
  const excluded = /[\w\s]/.test(first) ? first : `\\${first}`;
  const plain = `^[^"\\\\\\u0000-\\u001f\\u007f-\\u009f${excluded}]*$`;
  const compiled = compileNarrowed(schema, { type: 'string', pattern: plain }, compile, prefix);
  const text = compiled.rules.get(rules.addAll(compiled)) ?? '';
  const inner = /^"\\"(.*)\\""$/s.exec(text)?.[1];
  if (inner === undefined || hasTopLevelChoice(text))
    throw cannotWrite(
      'pattern',
      'this model writes texts without quotes, and the pattern cannot be enforced there',
    );
  // The two literals that held the quotes are closed again, and dropped where nothing else was in them.
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

/** The rules for documents that satisfy `schema` and `narrowing`. Paths in errors are those of `schema`. */
export function compileNarrowed(
  schema: JsonObject,
  narrowing: JsonObject,
  compile: SchemaCompiler,
  prefix: string,
): CompiledSchema {
  const { $defs, definitions } = schema;
  const both = { allOf: [schema, narrowing], ...($defs && { $defs }), ...(definitions && { definitions }) };
  const ownPath = (path: string) => path.replace(/^allOf\[\d\]\.?/, '');
  try {
    const compiled = compile(both, { prefix });
    return { ...compiled, ignored: compiled.ignored.map(ownPath) };
  } catch (error) {
    if (!(error instanceof AppError) || error.param === null) throw error;
    const param = ownPath(error.param);
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
