import type { NativeContext } from '../native/context/context.ts';
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
  /**
   * The draw that the next step is to make by the logits at `logitIndex`, with a draft of what follows; undefined: `draw`
   * makes it after the step, and knows no drafts.
   */
  inStep(logitIndex: number, draft: Uint32Array): StepDraw | undefined;
  /** Goes back to the position before the last `count` tokens of the last step, which no grammar has seen. */
  takeBack(count: number): void;
  /** The bytes that the grammar leaves no choice but to write next; empty: there is a choice, or nobody knows. For use between steps. */
  ahead(): Uint8Array;
  /**
   * The next token, by the logits at `logitIndex` of the batch that `context` decoded last, and then what `logprobs`
   * tells of it where that is wanted; and the same of those that follow it in the draft. `drawn` is what the step told
   * of the draw that it was to make. Throws AppError model_broken when the logits are not numbers, schema_too_complex
   * when the grammar takes too long to ask.
   */
  draw(
    context: NativeContext,
    logitIndex: number,
    drawn: Float64Array | undefined,
  ): Promise<ArrayLike<number>[]>;
  /** As `draw`, of a draw that a step made. */
  read(drawn: Float64Array): ArrayLike<number>[];
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
