/**
 * The models and plans that a backend hands to the pool. The backend knows how to load a model and its memory; the
 * pool decides when to load it, and which other model is unloaded to make room.
 */
import type { AddressStatus, ModelNeeds } from './model-status.ts';
import type { MemoryUse } from './memory-use.ts';

/** A model in memory. */
export interface PooledModel {
  /** Memory that it holds now: weights, caches and compute buffers. */
  readonly memory: MemoryUse;
  /** Tokens that a prompt and its answer may have together; undefined where that means nothing. */
  readonly contextTokens?: number | undefined;
  /** Requests that are computed together; undefined where that means nothing. */
  readonly slots?: number | undefined;
  /** Of these slots, the ones in use. */
  readonly busySlots?: number | undefined;
  /** Requests that wait for a slot. */
  readonly waiting?: number | undefined;
  /** Where it runs, if it runs elsewhere. */
  readonly addresses?: readonly AddressStatus[];
  /** Looks now whether the servers answer that it runs on; undefined: it runs here. */
  readonly lookAgain?: () => Promise<void>;
  /** Why it cannot serve at this moment; undefined: it can. */
  readonly trouble?: string | undefined;
  /** The process that it runs in, where it has one of its own. */
  readonly pid?: number | undefined;
  /** Resolves, if ever, when the model was lost by a fault: it holds no memory and serves nobody any more. */
  readonly lost?: Promise<ModelLostError>;
  /** Waits for running work, then frees the memory. Called once, when nobody uses the model any more. */
  dispose(): Promise<void>;
}

/**
 * Asks for more memory than a model in memory holds. Undefined: there is none now. Otherwise a function that is called
 * once `memory` of the model tells what it holds then. `unloadsOthers`: models that nobody uses make room.
 */
export type ClaimMemory = (more: MemoryUse, unloadsOthers: boolean) => Promise<(() => void) | undefined>;

/** How a model will be loaded. Nothing is allocated yet. */
export interface LoadPlan<Model extends PooledModel> extends ModelNeeds {
  /** A sentence that says how the operator can make the model smaller. It ends the error of one that never fits. */
  readonly remedy: string;
  /** The model, ready to use. Throws DeviceFullError, AppError or another error, and then holds no memory. */
  load(signal: AbortSignal, claim: ClaimMemory): Promise<Model>;
  /** Called where the plan comes to nothing: frees all that `plan` and failed loads have opened. */
  discard?(): void;
}

export interface Loadable<Model extends PooledModel> {
  /** Canonical id. */
  readonly id: string;
  /** A text that changes when it would have to be loaded anew, for example with its file. */
  readonly version?: (() => string) | undefined;
  /** How long the idle model stays in memory; 0: not at all; undefined: for ever. */
  readonly keepAliveMs: number | undefined;
  /** It is to be loaded again at once when it was lost. */
  readonly preload?: boolean | undefined;
  /** It takes nothing of this machine: it waits for no other load, and to unload it makes no room. */
  readonly isElsewhere?: boolean;
  /** It is loaded in a process of its own: others may be loaded at the same time. */
  readonly loadsBesideOthers?: boolean;
  /**
   * How to load it so that it fits into `budget`, the memory of all models, when no other model is loaded.
   * Throws AppError, or an error that tells what is wrong with the file.
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

/** Nobody waits for the model, and the memory that it needs is that of others in use. */
export class MemoryInUseError extends Error {
  override readonly name = 'MemoryInUseError';

  constructor(modelId: string) {
    super(`The model ${modelId} is not in memory, and others are used.`);
  }
}

/** The device had less room than the plan said; the pool frees another model and tries again. */
export class DeviceFullError extends Error {
  override readonly name = 'DeviceFullError';
}

/** The process that runs or loads the model has ended by a fault. Its message ends a sentence about the model. */
export class ModelLostError extends Error {
  override readonly name = 'ModelLostError';
}
