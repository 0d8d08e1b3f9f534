import { remembered } from '../remembered.ts';
import { exploreAutomaton, type AutomatonState } from '../language/automaton.ts';
import { charRange, codesIn, intersectChars, subtractChars, type CharSet } from '../char-set.ts';
import type { Language } from '../language/language.ts';
import { Languages } from '../language/languages.ts';
import { minimised } from '../language/minimise.ts';
import type { Work } from '../budget/work.ts';
import { limits } from '../budget/limits.ts';
import { referencedRules, type Expression } from '../text/expression.ts';
import { invalidGrammar } from './parse-gbnf.ts';

/**
 * Private characters, which no grammar needs, stand for calls of rules: so a rule that calls others has an automaton
 * like any regular expression. They are taken out of the client's grammar.
 */
const calls = charRange(0x100000, 0x10fffd);
const firstCall = 0x100000;

/** A rule that calls itself, directly or through others, or the root; all other rules are written into these. */
export interface RuleAutomaton {
  readonly name: string;
  readonly states: readonly AutomatonState[];
}

/** The numbers of the rules that `chars` calls. */
export const callsIn = (chars: CharSet): number[] =>
  codesIn(intersectChars(chars, calls)).map((call) => call - firstCall);

/** The characters of text among `chars`. */
export const textIn = (chars: CharSet): CharSet => subtractChars(chars, calls);

/**
 * The deterministic automata of a grammar's rules, the root's first. Throws AppError invalid_value for a rule that is
 * missing, or that needs too many states; and errors of `work`.
 */
export function ruleAutomata(
  rules: ReadonlyMap<string, Expression>,
  root: string,
  work: Work,
): readonly RuleAutomaton[] {
  const names = [root, ...recursiveRules(rules, root)].filter((name, at, all) => all.indexOf(name) === at);
  const writer = new LanguageWriter(rules, names, new Languages(work));
  let room: number = limits.patternStatesInAll;
  return names.map((name) => {
    const { languages } = writer;
    const most = Math.min(room, limits.patternStates);
    const { states, whole } = exploreAutomaton(languages, writer.ofBody(name), most);
    if (!whole)
      throw invalidGrammar(`the rule '${name}' needs more than ${most} states; repeat less often in it`);
    if (states.length === 0) throw invalidGrammar(`the rule '${name}' matches no text`);
    room -= states.length;
    return { name, states: minimised(states, work) };
  });
}

/** The rules in which a cycle of calls closes, as seen from `root`: without them no cycle is left. */
function recursiveRules(rules: ReadonlyMap<string, Expression>, root: string): ReadonlySet<string> {
  const recursive = new Set<string>();
  const open = new Set<string>();
  const done = new Set<string>();
  const visit = (name: string): void => {
    if (open.has(name)) recursive.add(name);
    if (open.has(name) || done.has(name)) return;
    const body = rules.get(name);
    if (body === undefined) throw invalidGrammar(`there is no rule '${name.slice(0, 64)}'`);
    open.add(name);
    for (const called of referencedRules(body)) visit(called);
    open.delete(name);
    done.add(name);
  };
  visit(root);
  return recursive;
}

class LanguageWriter {
  readonly languages: Languages;
  readonly #rules: ReadonlyMap<string, Expression>;
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #known = new Map<string, Language>();

  constructor(rules: ReadonlyMap<string, Expression>, names: readonly string[], languages: Languages) {
    this.languages = languages;
    this.#rules = rules;
    this.#numbers = new Map(names.map((name, number) => [name, number]));
  }

  ofBody(name: string): Language {
    const body = this.#rules.get(name);
    return remembered(this.#known, name, () => (body === undefined ? this.languages.none : this.#of(body)));
  }

  #of(expression: Expression): Language {
    const l = this.languages;
    switch (expression.kind) {
      case 'literal':
        return l.text(expression.text);
      case 'chars':
        return l.chars(textIn(expression.set));
      case 'ref': {
        const number = this.#numbers.get(expression.rule);
        if (number === undefined) return this.ofBody(expression.rule);
        return l.chars(charRange(firstCall + number, firstCall + number));
      }
      case 'sequence':
        return l.sequence(expression.parts.map((part) => this.#of(part)));
      case 'choice':
        return l.either(expression.options.map((option) => this.#of(option)));
      case 'repeat':
        return l.repeat(this.#of(expression.inner), expression.min, expression.max);
    }
  }
}
