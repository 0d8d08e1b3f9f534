import { AppError } from '../errors/errors.ts';
import { limits } from './budget/limits.ts';
import { Work } from './budget/work.ts';
import { checkLookahead } from './gbnf/check-lookahead.ts';
import { invalidGrammar, parseGbnf } from './gbnf/parse-gbnf.ts';
import { callsIn, ruleAutomata, textIn, type RuleAutomaton } from './gbnf/rule-automata.ts';
import { exploreAutomaton } from './language/automaton.ts';
import { charRange, intersectChars, type CharSet } from './char-set.ts';
import type { Language } from './language/language.ts';
import { Languages } from './language/languages.ts';
import { minimised } from './language/minimise.ts';
import { patternLanguage } from './language/pattern/pattern-language.ts';
import { PatternError } from './language/pattern/pattern-node.ts';
import { automatonGrammar } from './text/automaton-grammar.ts';
import { charClass, choice, ref, type Expression } from './text/expression.ts';
import type { CompiledSchema } from './gbnf.ts';
import { GrammarBuilder } from './text/grammar-builder.ts';
import { fewRanges } from './text/json-chars.ts';
import { printGrammar } from './text/print-grammar.ts';
import { pruneGrammar } from './text/prune-grammar.ts';

/** Texts that match a whole regular expression, one of some texts, or the texts of a client's own grammar in GBNF. */
export type TextFormat =
  | { readonly kind: 'regex'; readonly pattern: string }
  | { readonly kind: 'choice'; readonly texts: readonly string[] }
  | { readonly kind: 'grammar'; readonly gbnf: string };

const prefix = 'answer-';

/** llama.cpp's grammars end a text at U+0000, so no rule may ask for it. */
const writableChars = charRange(1, 0x10ffff);

/**
 * Rules in GBNF for the texts of `format`, written so that the next character always tells which rule applies. Throws
 * AppError invalid_value where `format` is wrong, and schema_too_complex where it takes too much work; `param` is
 * `schema`.
 */
export function compileText(format: TextFormat): CompiledSchema {
  const work = new Work();
  try {
    return write(toAutomata(format, work), new GrammarBuilder(prefix, work));
  } catch (error) {
    const isTooMuch = error instanceof AppError && error.code !== 'invalid_value';
    if (!isTooMuch && !(error instanceof RangeError)) throw error;
    throw new AppError(
      'schema_too_complex',
      'The grammar of the answer takes too much work to compile. Use fewer rules, alternatives and repetitions.',
      { param: 'schema', cause: error },
    );
  }
}

function toAutomata(format: TextFormat, work: Work): readonly RuleAutomaton[] {
  if (format.kind === 'grammar') {
    const rules = parseGbnf(format.gbnf);
    if (!rules.has('root')) throw invalidGrammar("there is no rule 'root', with which texts begin");
    const automata = ruleAutomata(rules, 'root', work);
    checkLookahead(automata, work);
    return automata;
  }
  const languages = new Languages(work);
  const language =
    format.kind === 'regex' ? wholePattern(languages, format.pattern) : oneOf(languages, format.texts);
  const { states, whole } = exploreAutomaton(languages, language, limits.patternStates);
  if (!whole)
    throw invalidValue(`needs an automaton of more than ${limits.patternStates} states; make it shorter`);
  if (states.length === 0) throw invalidValue('matches no text');
  return [{ name: 'text', states: minimised(states, work) }];
}

function oneOf(languages: Languages, texts: readonly string[]): Language {
  if (texts.some((text) => text.includes('\0')))
    throw invalidValue('holds the character U+0000; leave it out');
  return languages.either(texts.map((text) => languages.text(text)));
}

/** The language of the texts that `pattern` matches from their beginning to their end. */
function wholePattern(languages: Languages, pattern: string): Language {
  try {
    // By itself it shows whether the pattern is one, so that it cannot close the group that is put around it.
    patternLanguage(languages, pattern);
    return patternLanguage(languages, `^(?:${pattern})$`);
  } catch (error) {
    if (error instanceof PatternError)
      throw invalidValue(`is a pattern that cannot be used: ${error.message}`);
    throw error;
  }
}

const invalidValue = (complaint: string) =>
  new AppError('invalid_value', `What the answer must match ${complaint}.`, { param: 'schema' });

function write(automata: readonly RuleAutomaton[], builder: GrammarBuilder): CompiledSchema {
  const names = automata.map(({ name }) => builder.reserve(name));
  const encode = (chars: CharSet): Expression => {
    const text = intersectChars(textIn(chars), writableChars);
    const called = callsIn(chars).map((rule) => ref(names[rule] ?? ''));
    return choice([...(text.length === 0 ? [] : [charClass(fewRanges(text))]), ...called]);
  };
  for (const [index, { name, states }] of automata.entries())
    builder.set(names[index] ?? '', automatonGrammar(builder, states, name, encode));
  const pruned = pruneGrammar(builder.rules, names[0] ?? '');
  if (pruned === undefined)
    throw invalidGrammar('every text of it would have to go on without end, or to hold the character U+0000');
  return { rules: printGrammar(pruned.rules), rootRule: pruned.root, ignored: [] };
}
