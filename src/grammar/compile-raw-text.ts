import { limits } from './budget/limits.ts';
import { Work } from './budget/work.ts';
import type { CompiledSchema } from './gbnf.ts';
import { exploreAutomaton } from './language/automaton.ts';
import { Languages } from './language/languages.ts';
import { minimised } from './language/minimise.ts';
import { automatonGrammar } from './text/automaton-grammar.ts';
import { charClass } from './text/expression.ts';
import { GrammarBuilder } from './text/grammar-builder.ts';
import { printGrammar } from './text/print-grammar.ts';
import { rawLanguage, type RawTexts } from './values/raw-text-expression.ts';

export type { RawTexts };

/** Rules for all texts that `raw` allows, the first under the name `raw.anyText`. */
export function compileAnyText(raw: RawTexts): CompiledSchema {
  const work = new Work();
  const languages = new Languages(work);
  const builder = new GrammarBuilder(`${raw.anyText}-`, work);
  const { states } = exploreAutomaton(languages, rawLanguage(languages, raw), limits.patternStates);
  const text = automatonGrammar(builder, minimised(states, work), '', charClass);
  const rules = printGrammar(new Map([...builder.rules, [raw.anyText, text]]));
  return { rules, rootRule: raw.anyText, ignored: [] };
}
