import type { NativeContext } from '../native/context.ts';
import type { StepDraw } from '../native/stepper.ts';

/** One way to draw the tokens of a request. */
export interface Draws {
  /** Added to the logits of tokens from now on, in place of what was added before. */
  setBiases(biases: ReadonlyMap<number, number>): void;
  /**
   * From now on draws only what the grammar allows, `begun` accepted already. False: that does not fit the grammar, so
   * that all is left open. Throws when llama.cpp cannot parse it.
   */
  constrain(gbnf: string, begun: Uint32Array): boolean;
  /** The draw that the next step is to make by the logits at `logitIndex`; undefined: `draw` makes it after the step. */
  inStep(logitIndex: number): StepDraw | undefined;
  /**
   * The next token, by the logits at `logitIndex` of the batch that `context` decoded last, and then what `logprobs`
   * tells of it where that is wanted. `drawn` is what the step told of the draw that it was to make. Throws AppError
   * model_broken when the logits are not numbers, schema_too_complex when the grammar takes too long to ask.
   */
  draw(
    context: NativeContext,
    logitIndex: number,
    drawn: Float64Array | undefined,
  ): Promise<ArrayLike<number>>;
  /**
   * For each token, by the logits at its place: its log-probability, and then the number and the log-probability of each
   * of its alternatives.
   */
  logprobs(
    context: NativeContext,
    logitIndexes: Uint32Array,
    tokens: Uint32Array,
  ): Promise<ArrayLike<number>[]>;
  dispose(): void;
}
