import { compileSchema, type CompiledSchema } from './compile-schema.ts';
import { primitiveClosure } from './text/primitive-rules.ts';

/** The text of a whole grammar: `root` as its start, then `rules`. */
export function grammarText(root: string, rules: ReadonlyMap<string, string>): string {
  return [`root ::= ${root}`, ...[...rules].map(([name, text]) => `${name} ::= ${text}`), ''].join('\n');
}

/** The grammar of one JSON document that is valid against `schema`. Throws invalid_json_schema. */
export function schemaGrammar(schema: unknown): string {
  const { rootRule, rules } = compileSchema(schema);
  return grammarText(rootRule, rules);
}

/** Rules for any JSON object: what `json_object` asks for. */
export const jsonObject: CompiledSchema = { rules: primitiveClosure(['object']), rootRule: 'object' };

/** The grammar of any JSON object. */
export const jsonObjectGrammar: string = grammarText(jsonObject.rootRule, jsonObject.rules);
