/**
 * What an engine hands to the model pool, whatever its models do (chat, embeddings, speech): the engine knows how a
 * model is loaded and what it takes, the pool decides when, and which other model has to go for it.
 */
import type { MemoryUse } from './memory-use.ts';

/** A model in memory. */
export interface PooledModel {
  /** What it holds now: weights, caches and compute buffers. */
  readonly memory: MemoryUse;
  /** Tokens that a prompt and its answer may have together; undefined where that means nothing. */
  readonly contextTokens?: number;
  /** Requests that are computed together; undefined where that means nothing. */
  readonly slots?: number;
  /** Of these slots, the ones in use. */
  readonly busySlots?: number;
  /** Requests that wait for a slot. */
  readonly waiting?: number;
  /** Waits for running work, then frees the memory. Called once, when nobody uses the model any more. */
  dispose(): Promise<void>;
}

/** How a model would be loaded: decided, but nothing is allocated yet. */
export interface LoadPlan<Model extends PooledModel> {
  /** An estimate of what the model will hold once it is loaded. */
  readonly memory: MemoryUse;
  /** What the operator can do to make it smaller, as a sentence: it ends the error of a model that can never fit. */
  readonly remedy: string;
  /** Throws DeviceFullError, AppError, or whatever went wrong; frees all it took when it throws. */
  load(signal: AbortSignal): Promise<Model>;
}

/** A model that can be loaded. */
export interface Loadable<Model extends PooledModel> {
  /** Canonical id; no two engines share one. */
  readonly id: string;
  /** How long the idle model stays in memory; 0: not at all; undefined: for ever. */
  readonly keepAliveMs: number | undefined;
  /**
   * How to load it so that it fits into `budget`, which is what models may take together, with no other one there.
   * Throws AppError, or whatever is wrong with the file.
   */
  plan(budget: MemoryUse, signal: AbortSignal): Promise<LoadPlan<Model>>;
}

/** The model cannot be loaded now, and trying again before `retryAtMs` of `Date.now()` would be in vain. */
export class LoadRefusedError extends Error {
  override readonly name = 'LoadRefusedError';
  readonly retryAtMs: number;

  constructor(reason: string, retryAtMs = 0) {
    super(reason);
    this.retryAtMs = retryAtMs;
  }
}

/** The device had less room than the plan said; the pool frees another model and tries again. */
export class DeviceFullError extends Error {
  override readonly name = 'DeviceFullError';
}
