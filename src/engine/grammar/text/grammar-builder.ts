import { ref, sizeOf, type Expression } from './expression.ts';
import { limits } from '../budget/limits.ts';
import { primitiveRules } from './primitive-rules.ts';
import { refusal } from '../budget/refusal.ts';
import type { Work } from '../budget/work.ts';

/** What it takes to simplify and to write one part of an expression. */
const stepsPerPart = 10;

/** Collects rules under readable names that differ from each other and from the primitive rules. */
export class GrammarBuilder {
  readonly rules = new Map<string, Expression>();
  readonly #taken: Set<string>;
  /** The number that each base name was last given. */
  readonly #counts = new Map<string, number>();
  readonly #prefix: string;
  readonly #work: Work;
  #size = 0;

  constructor(prefix: string, work: Work) {
    this.#work = work;
    this.#prefix = prefix;
    this.#taken = new Set<string>([...primitiveRules.keys(), 'root']);
  }

  /** A fresh rule name made from `hint`; its rule is still to be set. */
  reserve(hint: string): string {
    if (this.#taken.size > limits.rules + primitiveRules.size)
      throw refusal(
        '',
        '',
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

  set(name: string, expression: Expression): void {
    const { parts, chars } = sizeOf(expression);
    this.#work.spend(stepsPerPart * parts + (chars >> 3));
    this.#size += chars;
    // Some of it may turn out to be of no use and be left out.
    if (this.#size > 2 * limits.grammarText) throw tooLarge();
    this.rules.set(name, expression);
  }

  /** A reference to a fresh rule for `expression`. */
  define(hint: string, expression: Expression): Expression {
    if (expression.kind === 'ref') return expression;
    const name = this.reserve(hint);
    this.set(name, expression);
    return ref(name);
  }
}

export const tooLarge = () =>
  refusal(
    '',
    '',
    'The schema needs a grammar that is too large; use fewer properties, branches or enum values.',
  );

/** llama.cpp allows letters, digits and hyphens in a rule's name. */
function readable(hint: string): string {
  const words = hint
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase()
    .replaceAll(/^-+|-+$/g, '');
  return words.slice(-40).replace(/^-+/, '') || 'rule';
}
