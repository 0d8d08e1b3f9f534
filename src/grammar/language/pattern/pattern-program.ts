import { remembered } from '../../remembered.ts';
import { hasChar, type CharSet } from '../../char-set.ts';
import { PatternError, type PatternNode } from './pattern-node.ts';
import type { Spending } from '../../budget/work.ts';

/** A condition on a place between two characters. */
export type Assertion =
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'boundary'; readonly negative: boolean }
  | { readonly kind: 'look'; readonly program: PatternProgram; readonly negative: boolean };

/** One step of a program that matches texts; `next` is the index of the step after it. */
export type Step =
  | { readonly kind: 'chars'; readonly set: CharSet; readonly next: number }
  | { readonly kind: 'fork'; readonly nexts: number[] }
  | { readonly kind: 'assert'; readonly assertion: Assertion; readonly next: number }
  | { readonly kind: 'found' };

/** A pattern as a nondeterministic automaton: it can be in several steps at once (Thompson's construction). */
export interface PatternProgram {
  readonly steps: readonly Step[];
  readonly start: number;
  /** True when it reads a text from its end to its beginning. */
  readonly backward: boolean;
}

/** The most steps of a program, with those of its lookaheads and lookbehinds. */
const maxSteps = 30_000;

/**
 * The program for `node`, for texts of at most `longest` characters: longer repetitions make no difference to them.
 * Throws PatternError when it would be too large.
 */
export function patternProgram(node: PatternNode, longest: number, work: Spending): PatternProgram {
  let left = maxSteps;
  return program(node, false);

  function program(whole: PatternNode, backward: boolean): PatternProgram {
    const steps: Step[] = [{ kind: 'found' }];
    const looks = new Map<PatternNode, PatternProgram>();
    const add = (step: Step): number => {
      work.spend(1);
      if (--left < 0) throw new PatternError('its repetitions are too large');
      return steps.push(step) - 1;
    };

    function build(part: PatternNode, next: number): number {
      switch (part.kind) {
        case 'chars':
          return add({ kind: 'chars', set: part.set, next });
        case 'sequence': {
          const parts = backward ? part.parts : part.parts.toReversed();
          return parts.reduce((following, one) => build(one, following), next);
        }
        case 'choice':
          return add({ kind: 'fork', nexts: part.parts.map((option) => build(option, next)) });
        case 'repeat':
          return repeated(part, next);
        case 'start':
        case 'end':
        case 'boundary':
          return add({ kind: 'assert', assertion: part, next });
        case 'look': {
          // A lookahead is matched backward, a lookbehind forward: one pass then finds all places where it holds.
          const inner = remembered(looks, part, () => program(part.inner, !part.behind));
          const assertion = { kind: 'look', program: inner, negative: part.negative } as const;
          return add({ kind: 'assert', assertion, next });
        }
      }
    }

    function repeated({ inner, min, max }: PatternNode & { kind: 'repeat' }, next: number): number {
      const least = Math.min(min, longest + 1);
      let entry = next;
      if (max > longest) {
        const loop: number[] = [];
        entry = add({ kind: 'fork', nexts: loop });
        loop.push(build(inner, entry), next);
      } else
        for (let count = least; count < max; count++)
          entry = add({ kind: 'fork', nexts: [build(inner, entry), next] });
      for (let count = 0; count < least; count++) entry = build(inner, entry);
      return entry;
    }

    return { start: build(whole, 0), steps, backward };
  }
}

/** Whether `program` matches anywhere in `chars`, a list of code points. Takes steps in proportion to both sizes. */
export const isFound = (program: PatternProgram, chars: readonly number[], work: Spending): boolean =>
  new Matching(chars, work).places(program, true).includes(1);

class Matching {
  readonly #chars: readonly number[];
  readonly #work: Spending;

  constructor(chars: readonly number[], work: Spending) {
    this.#chars = chars;
    this.#work = work;
  }

  /** For each place, 1 where a match of `program` ends; with `firstWillDo`, only for the first such place. */
  places(program: PatternProgram, firstWillDo = false): Uint8Array {
    const { steps, start, backward } = program;
    const length = this.#chars.length;
    const found = new Uint8Array(length + 1);
    const holds = this.#assertions(program);
    /** For each step, the number of characters that were read when it was last reached. */
    const seen = new Int32Array(steps.length).fill(-1);
    let waiting: number[] = [];
    this.#work.spend(1 + (steps.length >> 5));
    for (let read = 0; read <= length; read++) {
      const place = backward ? length - read : read;
      const char = this.#chars[backward ? place - 1 : place];
      const stack = [...waiting, start];
      const next: number[] = [];
      let taken = 1;
      for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
        if (seen[at] === read) continue;
        seen[at] = read;
        taken += 1;
        const step = steps[at];
        if (step === undefined) continue;
        if (step.kind === 'found') found[place] = 1;
        else if (step.kind === 'fork') stack.push(...step.nexts);
        else if (step.kind === 'assert') {
          if (holds(step.assertion, place)) stack.push(step.next);
        } else if (char !== undefined && hasChar(step.set, char)) next.push(step.next);
      }
      this.#work.spend(taken);
      if (firstWillDo && found[place] === 1) break;
      waiting = next;
    }
    return found;
  }

  #assertions(program: PatternProgram): (assertion: Assertion, place: number) => boolean {
    const looks = new Map<PatternProgram, Uint8Array>();
    for (const step of program.steps)
      if (step.kind === 'assert' && step.assertion.kind === 'look')
        looks.set(step.assertion.program, this.places(step.assertion.program));
    return (assertion, place) => {
      switch (assertion.kind) {
        case 'start':
          return place === 0;
        case 'end':
          return place === this.#chars.length;
        case 'boundary':
          return (this.#isWord(place - 1) !== this.#isWord(place)) !== assertion.negative;
        case 'look':
          return (looks.get(assertion.program)?.[place] === 1) !== assertion.negative;
      }
    };
  }

  #isWord(place: number): boolean {
    const char = this.#chars[place];
    return char !== undefined && char < 128 && /\w/.test(String.fromCharCode(char));
  }
}
