import { toolGrammar } from '../../../src/engine/prompt/tools/tool-grammar.ts';
import { grammarText } from '../../../src/grammar/gbnf.ts';

/** The text of the grammar for calls of tools. */
export function callGrammar(options: Parameters<typeof toolGrammar>[0]): string {
  const { rootRule, rules } = toolGrammar(options);
  return grammarText(rootRule, rules);
}
