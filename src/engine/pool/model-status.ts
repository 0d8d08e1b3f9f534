import type { MemoryUse } from './memory-use.ts';
import type { ModelPlace } from './model-place.ts';

export type ModelState = 'available' | 'loading' | 'loaded' | 'failed';

/** One server that runs a model for hearth, as the operator sees it. */
export interface AddressStatus {
  readonly url: string;
  /** `unknown`: it was not asked yet. */
  readonly state: 'up' | 'down' | 'unknown';
  /** Requests that it is answering. */
  readonly inFlight: number;
  /** Requests that it has begun to answer. */
  readonly requests: number;
  /** Requests that failed there. */
  readonly errors: number;
  /** Whether the last request that it took ended in nonsense. */
  readonly isFailing?: boolean | undefined;
  /** Moving average of the time to the first byte of an answer. */
  readonly latencyMs?: number | undefined;
  /** Why it is down. */
  readonly reason?: string | undefined;
  /** Since when it is down, and when it is asked again, in Unix ms. */
  readonly downSinceMs?: number | undefined;
  readonly probeAtMs?: number | undefined;
}

/** The memory that a model takes, and where. */
export interface ModelNeeds {
  readonly memory: MemoryUse;
  /** Tokens that a prompt and its answer may have together; undefined where that means nothing. */
  readonly contextTokens?: number | undefined;
  /** Undefined where no layers can be told apart, or it runs elsewhere. */
  readonly place?: ModelPlace | undefined;
}

/** A model as the operator sees it; undefined fields do not apply. Times are Unix milliseconds. */
export interface ModelStatus extends Partial<ModelNeeds> {
  readonly state: ModelState | 'unloading';
  /** That of its `Loadable` when its load was asked for. */
  readonly version?: string | undefined;
  /** Its needs if it were loaded now, or those when it was loaded last, where they are known. */
  readonly next?: ModelNeeds | undefined;
  /** Requests that are computed together. */
  readonly slots?: number | undefined;
  /** Of these, the ones in use. */
  readonly busySlots?: number | undefined;
  /** Requests that wait for one of them. */
  readonly waiting?: number | undefined;
  /** Requests that use the model or wait for it. */
  readonly requests?: number | undefined;
  readonly lastUsedAtMs?: number | undefined;
  /** When somebody last waited for an answer of it: nobody waits for lines of batches. */
  readonly lastAwaitedAtMs?: number | undefined;
  /** When it is unloaded if no request uses it before. */
  readonly unloadsAtMs?: number | undefined;
  /** Why it could not be loaded, or cannot serve now. */
  readonly error?: string | undefined;
  /** Where it runs, if it runs elsewhere. */
  readonly addresses?: readonly AddressStatus[] | undefined;
  /** The process that it runs in, where it has one of its own. */
  readonly pid?: number | undefined;
}

/** The models in memory as the operator sees them, and the operator's acts on them. */
export interface ModelMemory {
  /** The memory that all models may take, and the memory that they take now. */
  readonly memory: { readonly budget: MemoryUse; readonly used: MemoryUse };
  /** Ids of the models that are loaded or being loaded. */
  readonly inMemory: readonly string[];
  state(modelId: string): ModelState;
  status(modelId: string): ModelStatus;
  /** Resolves when `status` tells the needs of these models, or after some seconds. */
  findNeeds(modelIds: readonly string[]): Promise<void>;
  /** Resolves when the model is in memory; throws AppError as a request for it would. */
  load(modelId: string, signal: AbortSignal): Promise<void>;
  /** Frees the model as soon as no request uses it; one that could not be loaded may be tried again at once. */
  unload(modelId: string): void;
}
