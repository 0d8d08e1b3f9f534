import { hasChar } from '../../char-set.ts';
import type { Assertion, PatternProgram } from './pattern-program.ts';
import type { Spending } from '../../budget/work.ts';

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
