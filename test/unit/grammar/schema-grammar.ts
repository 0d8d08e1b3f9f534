import { compileSchema } from '../../../src/grammar/compile-schema.ts';
import { grammarText } from '../../../src/grammar/gbnf.ts';

/** The grammar of one JSON document that is valid against `schema`. Throws as `compileSchema` does. */
export function schemaGrammar(schema: unknown): string {
  const { rootRule, rules } = compileSchema(schema);
  return grammarText(rootRule, rules);
}
