import type { CompiledSchema } from './gbnf.ts';
import { checkedSchema } from './schema/json-value.ts';
import { primitiveClosure } from './text/primitive-rules.ts';
import { refusalOfAll } from './budget/refusal.ts';
import { isConstraint } from './schema/check-keywords.ts';
import { SchemaCompiler, type CompiledPart } from './values/schema-compiler.ts';
import { Work } from './budget/work.ts';

/** Rules for any JSON object, as the output format `json_object` asks for. */
export const jsonObject: CompiledSchema = {
  rules: primitiveClosure(['object']),
  rootRule: 'object',
  ignored: [],
};

export interface CompileOptions extends CompiledPart {
  /** The text with which names of rules begin. */
  readonly prefix?: string;
  /** Refuses keywords that seem to be misspelt; otherwise they are annotations, as all that are unknown. */
  readonly strict?: boolean;
  /** The mark around strings where values are written as in {name:MARKtextMARK}, not as JSON. */
  readonly mark?: string | undefined;
  /** Counts the steps of the compilation, and ends it when there are too many. */
  readonly work?: Work;
}

/**
 * Rules in GBNF, llama.cpp's language for grammars, for JSON documents that are valid against `schema` (draft 2020-12,
 * 2019-09 or 7, with OpenAPI's nullable). A model that is held to the grammar can write nothing else. The rules may
 * match fewer documents than the schema allows, but never others. Throws invalid_json_schema where that cannot be
 * guaranteed, and schema_too_complex where it takes too much work; the `param` of both is the path of the keyword
 * from the schema's root.
 */
export function compileSchema(schema: unknown, options: CompileOptions = {}): CompiledSchema {
  const { prefix = '', strict = false, work = new Work(), mark } = options;
  try {
    return new SchemaCompiler(checkedSchema(schema), { prefix, strict, work, mark }).compile(options);
  } catch (error) {
    if (error instanceof RangeError && error.message.startsWith('Maximum call stack'))
      throw refusalOfAll('The schema refers from one part to another too many times in a row; simplify it.');
    throw error;
  }
}

/** The first keyword of `schema` that constrains values and is not in `known`; undefined where there is none. */
export const constraintBeyond = (schema: object, known: ReadonlySet<string>): string | undefined =>
  Object.keys(schema).find((keyword) => isConstraint(keyword) && !known.has(keyword));
