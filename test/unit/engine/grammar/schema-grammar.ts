import { compileSchema } from '../../../../src/engine/grammar/compile-schema.ts';
import { grammarText } from '../../../../src/engine/grammar/text/gbnf-text.ts';

/** The grammar of one JSON document that is valid against `schema`. Throws as `compileSchema` does. */
export function schemaGrammar(schema: unknown): string {
  const { rootRule, rules } = compileSchema(schema);
  return grammarText(rootRule, rules);
}
