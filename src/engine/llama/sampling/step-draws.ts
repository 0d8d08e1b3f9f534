import type { NativeContext } from '../native/context/context.ts';
import {
  noNumbers,
  nothingAllowed,
  takesTooLong,
  type StepDraw,
  type Stepper,
  type StepSampler,
} from '../native/stepper.ts';
import { brokenModel, tooManyAlternatives } from './draw-errors.ts';
import type { Draws } from './draws.ts';
import type { SeededSampling } from './native-config.ts';

const noTokens = new Uint32Array();

/** Draws one request's tokens within the steps of its context, except for those that take too long. */
export class StepDraws implements Draws {
  readonly #stepper: Stepper;
  readonly #sampler: StepSampler;
  readonly #alternatives: number;

  /** `seen`: the tokens that penalties count. `alternatives`: as `StepDraw` has it. */
  constructor(stepper: Stepper, sampling: SeededSampling, seen: Uint32Array, alternatives: number) {
    this.#stepper = stepper;
    this.#sampler = stepper.createSampler(sampling, seen);
    this.#alternatives = alternatives;
  }

  setBiases(biases: ReadonlyMap<number, number>): void {
    this.#sampler.setBiases(biases);
  }

  constrain(gbnf: string, begun: Uint32Array): boolean {
    return this.#sampler.constrain(gbnf, begun);
  }

  inStep(logitIndex: number, draft: Uint32Array): StepDraw {
    return { logitIndex, sampler: this.#sampler.handle, alternatives: this.#alternatives, draft };
  }

  takeBack(count: number): void {
    this.#sampler.takeBack(count);
  }

  ahead(): Uint8Array {
    return this.#sampler.ahead();
  }

  async draw(
    _context: NativeContext,
    logitIndex: number,
    drawn: Float64Array | undefined,
  ): Promise<Float64Array[]> {
    if (drawn === undefined) throw new Error('The step made no draw');
    const made =
      drawn[0] === takesTooLong ? await this.#stepper.finishDraw(this.inStep(logitIndex, noTokens)) : drawn;
    return this.read(made);
  }

  read(made: Float64Array): Float64Array[] {
    if (made[0] === noNumbers) throw brokenModel();
    if (made[0] === takesTooLong) throw tooManyAlternatives();
    if (made[0] === nothingAllowed) throw new Error('The grammar allows none of the tokens that are left');
    const each = this.#alternatives < 0 ? 1 : 2 + 2 * this.#alternatives;
    if (made.length === each) return [made];
    const tokens = Math.ceil(made.length / each);
    return Array.from({ length: tokens }, (_, at) => made.subarray(at * each, (at + 1) * each));
  }

  logprobs(_context: NativeContext, logitIndexes: Uint32Array, tokens: Uint32Array): Promise<Float64Array[]> {
    return this.#stepper.logprobs(
      logitIndexes.subarray(0, tokens.length),
      tokens,
      Math.max(0, this.#alternatives),
    );
  }

  dispose(): void {}
}
