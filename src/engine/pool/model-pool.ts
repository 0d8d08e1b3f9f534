import { AppError } from '../../errors/errors.ts';
import { shuttingDown, tooManyWait } from '../../errors/unavailable.ts';
import { waitFor } from '../../timing/wait-for.ts';
import type { Caller } from '../queue/waiting-room.ts';
import { untilRetry } from './load-failure.ts';
import type { Loadable, PooledModel } from './loadable.ts';
import type { MemoryUse } from './memory-use.ts';
import { ModelLoader, returnMs, type LoaderOptions } from './model-loader.ts';
import type { ModelState, ModelStatus } from './model-status.ts';
import { ModelsInMemory } from './models-in-memory.ts';
import type { LoadStage, PoolEntry } from './pool-entry.ts';

export interface ModelPoolOptions extends LoaderOptions {
  /** How long a caller waits for a model before it gets model_loading. The load goes on after that. */
  readonly loadTimeoutMs: number;
  /** Most callers that wait for one model. */
  readonly queueLimit: number;
}

export interface AcquireOptions {
  /** Default: the server itself. */
  readonly caller?: Caller;
  readonly signal: AbortSignal;
  /** How long the model stays after this use; Infinity: for ever; undefined: as the model says. */
  readonly keepAliveMs?: number | undefined;
}

/** A model in use: it stays in memory until `release`, which may be called more than once. */
export interface Lease<Model> {
  readonly model: Model;
  release(): void;
}

const serverItself: Caller = { accountId: '', keyId: '' };
/** Loads each model once, shares it among its users, and frees it when it is idle for long or others need the room. */
export class ModelPool {
  readonly #options: ModelPoolOptions;
  readonly #closing = new AbortController();
  readonly #models: ModelsInMemory;
  readonly #loader: ModelLoader;

  constructor(options: ModelPoolOptions) {
    this.#options = options;
    this.#models = new ModelsInMemory(options, this.#closing.signal);
    this.#loader = new ModelLoader(options, this.#models, this.#closing.signal);
  }

  /** The memory that all models may take, and the memory that they take now. */
  get memory(): { readonly budget: MemoryUse; readonly used: MemoryUse } {
    return { budget: this.#options.budget, used: this.#models.used };
  }

  /** Ids of the models that are loaded or being loaded. */
  get inMemory(): readonly string[] {
    return this.#models.ids;
  }

  state(modelId: string): ModelState {
    return this.#models.find(modelId)?.state ?? 'available';
  }

  status(modelId: string): ModelStatus {
    return this.#models.status(modelId);
  }

  /**
   * A lease of the model, which is loaded first if need be. To be released.
   * Throws AppError: model_loading after `loadTimeoutMs`, model_load_failed, server_overloaded,
   * server_shutting_down; or the signal's reason.
   */
  async acquire<Model extends PooledModel>(
    loadable: Loadable<Model>,
    { caller = serverItself, signal, keepAliveMs }: AcquireOptions,
  ): Promise<Lease<Model>> {
    signal.throwIfAborted();
    if (this.#closing.signal.aborted) throw shuttingDown();
    const entry = this.#current(loadable.id) ?? this.#loader.start(loadable);
    const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
    refused.catch(() => undefined);
    const leaveRoom = this.#enterRoom(entry, caller, refuse);
    entry.enter(caller);
    entry.keepAliveMs = keepAliveMs ?? loadable.keepAliveMs ?? Number.POSITIVE_INFINITY;
    const release = once(() => this.#release(entry, caller));
    try {
      // Each id belongs to one loadable, so the entry holds the type of model that it loads.
      const model = (await this.#wait(entry, signal, refused)) as Model;
      return { model, release };
    } catch (error) {
      release();
      throw error;
    } finally {
      leaveRoom?.();
    }
  }

  /**
   * Frees a model as soon as nobody uses it, or forgets that it could not be loaded. The next request for it loads it
   * again.
   */
  unload(modelId: string): void {
    const entry = this.#models.find(modelId);
    if (entry?.model !== undefined) this.#models.retire(entry, 'requested');
    else if (entry?.failure !== undefined) this.#models.forget(entry);
  }

  /** Gives up pending loads, waits for leases, then frees all models. */
  async close(): Promise<void> {
    this.#closing.abort(shuttingDown());
    this.#models.notify();
    await this.#loader.idle;
    await this.#models.close();
  }

  #current(modelId: string): PoolEntry | undefined {
    const entry = this.#models.find(modelId);
    return entry?.failure !== undefined && entry.retryAtMs <= Date.now() ? undefined : entry;
  }

  /** A function that leaves the waiting room. `refuse` is called when the place is given to another caller. */
  #enterRoom(entry: PoolEntry, caller: Caller, refuse: (error: AppError) => void): (() => void) | undefined {
    if (entry.state !== 'loading' || caller.isPaced === true) return undefined;
    const tooMany = () => tooManyWait(this.#loader.secondsUntilLoaded(entry) * 1000);
    const leave = entry.room.enter(caller, this.#options.queueLimit, () => refuse(tooMany()));
    if (leave === undefined) throw tooMany();
    return leave;
  }

  async #wait(entry: PoolEntry, signal: AbortSignal, refused: Promise<never>): Promise<PooledModel> {
    if (entry.model !== undefined) return entry.model;
    if (entry.failure !== undefined) throw untilRetry(entry.failure, entry.retryAtMs);
    const { loadTimeoutMs: timeoutMs } = this.#options;
    const timeoutError = () => this.#stillLoading(entry);
    try {
      return await waitFor(Promise.race([entry.loaded, refused]), { signal, timeoutMs, timeoutError });
    } catch (error) {
      const { failure, retryAtMs } = entry;
      throw failure !== undefined && error === failure ? untilRetry(failure, retryAtMs) : error;
    }
  }

  #stillLoading(entry: PoolEntry): AppError {
    const retryAfterSeconds = this.#loader.secondsUntilLoaded(entry);
    entry.expectedUntilMs = Date.now() + retryAfterSeconds * 1000 + returnMs;
    const text = `The model ${stageWords[entry.stage]}`;
    return new AppError('model_loading', `${text}. Try again later.`, { retryAfterSeconds });
  }

  #release(entry: PoolEntry, caller: Caller): void {
    entry.leave(caller);
    this.#models.notify();
    if (entry.users === 0 && entry.model !== undefined && this.#models.has(entry)) this.#models.expire(entry);
  }
}

const stageWords: Readonly<Record<LoadStage, string>> = {
  turn: 'waits until others are loaded',
  check: 'is being checked',
  memory: 'waits for memory',
  load: 'is being loaded',
};

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}
