import { ref, sizeOf, type Expression } from './expression.ts';
import { limits } from '../budget/limits.ts';
import { primitiveRules } from './primitive-rules.ts';
import { refusalOfAll } from '../budget/refusal.ts';
import type { Work } from '../budget/work.ts';

/** The steps to simplify and to write one part of an expression. */
const stepsPerPart = 10;

/** Collects rules and gives them readable names, which differ from each other and from those of the primitive rules. */
export class GrammarBuilder {
  readonly rules = new Map<string, Expression>();
  readonly #taken: Set<string>;
  /** For each name without a number, the number that was last put behind it. */
  readonly #counts = new Map<string, number>();
  readonly #prefix: string;
  readonly #work: Work;
  #size = 0;

  constructor(prefix: string, work: Work) {
    this.#work = work;
    this.#prefix = prefix;
    this.#taken = new Set<string>([...primitiveRules.keys(), 'root']);
  }

  /** A new rule name made from `hint`, for which `set` has to be called later. */
  reserve(hint: string): string {
    if (this.#taken.size > limits.rules + primitiveRules.size)
      throw refusalOfAll(
        `The schema needs more than ${limits.rules} grammar rules; simplify it or split it.`,
      );
    const base = this.#prefix + readable(hint.replace(/-\d+$/, ''));
    let name = base;
    let count = this.#counts.get(base) ?? 1;
    while (this.#taken.has(name)) name = `${base}-${++count}`;
    this.#counts.set(base, count);
    this.#taken.add(name);
    return name;
  }

  /** The part of the largest grammar that is written so far; parts may be left out of it later. */
  get fullness(): number {
    return Math.max(this.#size / (2 * limits.grammarText), this.#taken.size / limits.rules);
  }

  set(name: string, expression: Expression): void {
    const { parts, chars } = sizeOf(expression);
    this.#work.spend(stepsPerPart * parts + (chars >> 3));
    this.#size += chars;
    // Twice the limit is allowed here, as rules that turn out to be unused are left out later.
    if (this.#size > 2 * limits.grammarText) throw tooLarge();
    this.rules.set(name, expression);
  }

  /** A reference to a new rule with the body `expression`. */
  define(hint: string, expression: Expression): Expression {
    if (expression.kind === 'ref') return expression;
    const name = this.reserve(hint);
    this.set(name, expression);
    return ref(name);
  }
}

export const tooLarge = () =>
  refusalOfAll(
    'The schema needs a grammar that is too large; use fewer properties, branches or enum values.',
  );

/** `hint` as a rule name: llama.cpp allows letters, digits and hyphens. Names make up much of a grammar's text. */
function readable(hint: string): string {
  const words = hint
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase()
    .replaceAll(/^-+|-+$/g, '');
  return words.slice(-14).replace(/^-+/, '') || 'rule';
}
