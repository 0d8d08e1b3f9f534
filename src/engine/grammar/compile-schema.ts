import type { CompiledSchema } from './compilation.ts';
import { checkedSchema } from './schema/json-value.ts';
import { primitiveClosure } from './text/primitive-rules.ts';
import { refusal } from './refusal.ts';
import { SchemaCompiler } from './schema-compiler.ts';
import { Work } from './work.ts';

/** Rules for any JSON object: what the output format `json_object` asks for. */
export const jsonObject: CompiledSchema = { rules: primitiveClosure(['object']), rootRule: 'object' };

export interface CompileOptions {
  /** What rule names begin with. */
  readonly prefix?: string;
  /** Counts the steps, and ends the compilation when there are too many. */
  readonly work?: Work;
}

/**
 * GBNF rules of which every text is a JSON document that is valid against `schema` (draft 2020-12, 2019-09 or 7,
 * with OpenAPI's nullable). Fewer documents than the schema has may be matched, never others. What cannot be
 * guaranteed throws invalid_json_schema, what takes too much work schema_too_complex; the `param` of both is the
 * keyword's path from the schema's root.
 */
export function compileSchema(schema: unknown, options: CompileOptions = {}): CompiledSchema {
  const { prefix = '', work = new Work() } = options;
  try {
    return new SchemaCompiler(checkedSchema(schema), prefix, work).compile();
  } catch (error) {
    if (error instanceof RangeError && error.message.startsWith('Maximum call stack'))
      throw refusal(
        '',
        '',
        'The schema refers from one part to another too many times in a row; simplify it.',
      );
    throw error;
  }
}
