import type { GgmlType } from 'node-llama-cpp';
import type { NativeAdapter } from '../context-addon.ts';
import type { Run, StepDraw, Stepper } from '../stepper.ts';

export type { NativeAdapter } from '../context-addon.ts';

/** The cells of a context, each of which holds a token. */
export interface ContextShape {
  /** Of all sequences together; a multiple of 256 for each sequence that has its own. */
  readonly cells: number;
  /** Each sequence takes of all cells as many as it needs; otherwise it has an equal part of its own. */
  readonly isUnified: boolean;
}

/** `target` has its cells before `position` in common with `source`, whose number is lower. */
export interface SharedPrefix {
  readonly source: number;
  readonly target: number;
  readonly position: number;
}

/** The cells of a context, whose number can be changed between steps. */
export interface ChangingCells {
  readonly shape: ContextShape;
  /**
   * Opens the context anew in the shape; sequences hold their tokens, as far as `holds` says so. In a pool these share
   * cells again, as far as both hold them. False: it cannot be done now, and all is as it was. Rejects where all
   * sequences were lost.
   */
  reshape(shape: ContextShape, shared?: readonly SharedPrefix[]): Promise<boolean>;
  /** False: the sequence is empty. */
  holds(sequence: number): boolean;
}

/** How a context is opened. */
export interface ContextOptions {
  /** Tokens that each sequence can hold. */
  readonly contextTokens: number;
  /** Undefined: each sequence has cells of its own for all of its tokens. */
  readonly shape?: ContextShape | undefined;
  readonly sequences: number;
  /** Tokens that a step computes at most. */
  readonly batchTokens: number;
  /** Most tokens of a step after which logits are wanted: memory is reserved for their logits. Default: all tokens. */
  readonly outputTokens?: number;
  readonly threads: number;
  /** Undefined: wherever llama.cpp can. */
  readonly flashAttention?: boolean | undefined;
  /** The type of keys and values. */
  readonly cacheType: GgmlType;
  /** The model's own heads, which are loaded, guess up to so many tokens; recurrent states can forget as many. Default: none. */
  readonly headTokens?: number;
  readonly adapters?: readonly NativeAdapter[];
  readonly signal?: AbortSignal;
}

/** Whether a context computes vectors of texts, or ranks pairs of them. */
export interface EmbeddingOptions {
  readonly embeds?: boolean;
  /** One number for a pair of texts. */
  readonly ranks?: boolean;
}

/** The step was given up before it was computed. */
export class StepInterrupted extends Error {}

/**
 * The states of a context's sequences, copied out of it and back. One call at a time, and only between steps. A partial
 * state has all that the end of a sequence needs besides cells that can be cut: a recurrent state, or the cells of
 * sliding windows.
 */
export interface SequenceStates {
  /** Bytes of the state that `save` would give. */
  bytes(sequence: number, isPartial: boolean): number;
  /** Rejects where there is no memory for it. */
  save(sequence: number, isPartial: boolean): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Brings back a saved state: all of a sequence, or a partial state at its place in the tokens that the sequence still
   * holds. The sequence then ends before `position`. False: it could not be brought back, and the sequence is empty.
   * llama.cpp believes every state: so only bytes that are known to be unchanged may be given to it.
   */
  restore(sequence: number, isPartial: boolean, bytes: Uint8Array, position: number): Promise<boolean>;
}

/** llama.cpp's context: one batch at a time, sequences numbered from 0. */
export interface NativeContext {
  /** As `ContextOptions` has them, but `contextTokens` may be a few more. */
  readonly contextTokens: number;
  readonly sequences: number;
  readonly batchTokens: number;
  /** Draws within steps. */
  readonly stepper: Stepper;
  readonly states: SequenceStates;
  readonly cells: ChangingCells;
  /** The memory of a sequence can rarely be cut without a state that was saved at the place. */
  readonly needsStates: boolean;
  /** Of the last tokens that a step has computed of a sequence, but not the first, so many can be taken back. */
  readonly takesBack: number;
  /** Asks the model's own draft heads, as `ContextAddon.guess` has it. Undefined: there are none. */
  readonly guess: ((asks: Int32Array) => Promise<readonly Float64Array[]>) | undefined;
  /** To be called only between steps. */
  setThreads(threads: number): void;
  initBatch(size: number): void;
  /** `logitIndexes`: the last of `tokens`, after which logits are wanted. */
  addToBatch(sequence: number, position: number, tokens: Uint32Array, logitIndexes: Uint32Array): Uint32Array;
  /**
   * The tokens drawn for each of `draws`, as `Stepper.step` has them. With `run` each part of the batch makes one draw:
   * these are of the last step then, or nothing where that could not be computed and sequences may hold its tokens.
   * Nothing else may be asked of the context meanwhile.
   */
  decodeBatch(draws?: readonly StepDraw[], run?: Run): Promise<readonly Float64Array[]>;
  /** Ends the run after the step that is being computed. Undefined: the context takes no runs. */
  readonly hold: (() => void) | undefined;
  /**
   * Gives up the batch that is decoded now, if there is one: `decodeBatch` then rejects with StepInterrupted, unless it
   * was about to end. Sequences may hold some of the batch, and can be cut where they ended before it. Undefined: steps
   * of this context cannot be given up.
   */
  readonly interrupt: (() => void) | undefined;
  /** Whether the sequence holds all that it takes to end before `position`. */
  canCut(sequence: number, position: number): boolean;
  /** False, and nothing is done: the sequence cannot be cut there. At 0 it always can. */
  cut(sequence: number, position: number): boolean;
  copySequence(source: number, target: number): Promise<void>;
  /** Frees it. To be called before its model is freed. */
  dispose(): Promise<void>;
}

/** A context of one sequence whose outputs are vectors and not tokens. */
export interface NativeEmbeddingContext extends Pick<
  NativeContext,
  'initBatch' | 'addToBatch' | 'cut' | 'setThreads' | 'dispose'
> {
  decodeBatch(): Promise<unknown>;
  /**
   * The vector of the last step: pooled as the model wants it, else of its last token. Not normalised. Throws where
   * there is none.
   */
  getEmbedding(): Float32Array;
}
