import { limits } from './budget/limits.ts';
import { refusal } from './budget/refusal.ts';
import { Work } from './budget/work.ts';
import { exploreAutomaton } from './language/automaton.ts';
import type { CharSet } from './char-set.ts';
import { Languages } from './language/languages.ts';
import { minimised } from './language/minimise.ts';
import { patternLanguage } from './language/pattern/pattern-language.ts';
import { PatternError } from './language/pattern/pattern-node.ts';
import { automatonGrammar } from './text/automaton-grammar.ts';
import { charClass } from './text/expression.ts';
import type { CompiledSchema } from './gbnf.ts';
import { GrammarBuilder } from './text/grammar-builder.ts';
import { printGrammar } from './text/print-grammar.ts';
import { pruneGrammar } from './text/prune-grammar.ts';

/**
 * Rules for texts of `chars` that `pattern` matches and that do not hold `marker`, written as they are and not as JSON.
 * Throws invalid_json_schema or schema_too_complex for a pattern that cannot be enforced.
 */
export function compileRawText(
  pattern: string,
  { chars, marker, prefix }: { chars: CharSet; marker: string; prefix: string },
): CompiledSchema {
  const work = new Work();
  const l = new Languages(work);
  const builder = new GrammarBuilder(prefix, work);
  const marked = l.concat(l.anyText, l.concat(l.text(marker), l.anyText));
  const matched = work.during('', 'pattern', () => {
    try {
      return patternLanguage(l, pattern);
    } catch (error) {
      if (error instanceof PatternError) throw refusal('', 'pattern', `${error.message}.`);
      throw error;
    }
  });
  const language = l.both([matched, l.repeat(l.chars(chars), 0, Infinity), l.not(marked)]);
  // Where there are too many states, the longest texts are left out: all others still match.
  const { states } = exploreAutomaton(l, language, limits.patternStates, limits.automatonSteps);
  const text = automatonGrammar(builder, minimised(states, work), 'text', charClass);
  const root = builder.define('text', text);
  const pruned = root.kind === 'ref' ? pruneGrammar(builder.rules, root.rule) : undefined;
  if (pruned === undefined) throw refusal('', 'pattern', 'no text that can be written here matches it.');
  return { rules: printGrammar(pruned.rules), rootRule: pruned.root, ignored: [] };
}
