import { AppError } from '../errors.ts';
import type { Log } from '../telemetry/log.ts';
import type { ModelState } from './types.ts';

/** What the pool keeps: anything that can be freed. */
export interface Poolable {
  /** Waits for running work, then frees the memory. */
  dispose(): Promise<void>;
}

export interface ModelPoolOptions<Model extends Poolable> {
  /** Loads a model that no one else is loading. Throws AppError model_load_failed or whatever went wrong. */
  readonly load: (modelId: string, signal: AbortSignal) => Promise<Model>;
  /** How long an idle model stays; undefined: for ever. */
  readonly keepAliveMs: (modelId: string) => number | undefined;
  /** A caller waits so long for a load before it is told model_loading; the load goes on. */
  readonly loadTimeoutMs: number;
  /** After a failed load nobody tries again for so long. */
  readonly failureCoolDownMs: number;
  readonly log: Log;
}

interface Entry<Model> {
  readonly loading: Promise<Model>;
  readonly startedAt: number;
  model: Model | undefined;
  failure: AppError | undefined;
  failedAt: number;
  users: number;
  /** Told when the last user of a model leaves. */
  onUnused: (() => void) | undefined;
  lastUsedAt: number;
  expiry: NodeJS.Timeout | undefined;
}

/** The longest delay of a timer; it takes longer ones for none at all. */
const longestTimerMs = 2 ** 31 - 1;

/** A model in use: it stays in memory until `release`, which may be called once. */
export interface Lease<Model> {
  readonly model: Model;
  release(): void;
}

/** Loads each model once, shares it among its users, and frees it when it was idle for long enough. */
export class ModelPool<Model extends Poolable> {
  readonly #options: ModelPoolOptions<Model>;
  readonly #entries = new Map<string, Entry<Model>>();
  /** One load at a time: two would fight for disk, memory and threads. */
  #lastLoad: Promise<unknown> = Promise.resolve();
  /** Models that are being freed: their memory is not free yet. */
  readonly #unloading = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(options: ModelPoolOptions<Model>) {
    this.#options = options;
  }

  state(modelId: string): ModelState {
    const entry = this.#entries.get(modelId);
    if (entry === undefined) return 'available';
    if (entry.model !== undefined) return 'loaded';
    return entry.failure === undefined ? 'loading' : 'failed';
  }

  /**
   * The model, loaded if need be; release the lease when done.
   * Throws AppError: model_loading after `loadTimeoutMs`, model_load_failed, server_shutting_down; or `signal`'s
   * reason.
   */
  async acquire(modelId: string, signal: AbortSignal): Promise<Lease<Model>> {
    signal.throwIfAborted();
    if (this.#closing.signal.aborted)
      throw new AppError('server_shutting_down', 'The server is shutting down. Try again later.');
    const entry = this.#current(modelId) ?? this.#startLoading(modelId);
    entry.users++;
    clearTimeout(entry.expiry);
    try {
      const model = await this.#wait(entry, signal);
      return { model, release: once(() => this.#release(modelId, entry)) };
    } catch (error) {
      this.#release(modelId, entry);
      throw error;
    }
  }

  /** Frees the idle model that was not used for longest; false when none is idle. */
  async evictOne(): Promise<boolean> {
    if (this.#unloading.size > 0) {
      await Promise.all(this.#unloading);
      return true;
    }
    const idle = [...this.#entries].filter(([, { model, users }]) => model !== undefined && users === 0);
    const [oldest] = idle.toSorted(([, a], [, b]) => a.lastUsedAt - b.lastUsedAt);
    if (oldest === undefined) return false;
    await this.#unload(...oldest, 'evicted to make room');
    return true;
  }

  /** Frees everything: loads are given up, leases waited for. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const [modelId, entry] of this.#entries) {
      clearTimeout(entry.expiry);
      await entry.loading.catch(() => undefined);
      if (entry.users > 0)
        await new Promise<void>((resolve) => {
          entry.onUnused = resolve;
        });
      await this.#unload(modelId, entry, 'shutting down');
    }
    await Promise.all(this.#unloading);
  }

  #current(modelId: string): Entry<Model> | undefined {
    const entry = this.#entries.get(modelId);
    if (entry?.failure === undefined) return entry;
    const remainingMs = entry.failedAt + this.#options.failureCoolDownMs - Date.now();
    if (remainingMs <= 0) return undefined;
    return entry;
  }

  #startLoading(modelId: string): Entry<Model> {
    const loading = Promise.all([this.#lastLoad, ...this.#unloading]).then(() => {
      this.#closing.signal.throwIfAborted();
      return this.#options.load(modelId, this.#closing.signal);
    });
    const now = Date.now();
    const entry: Entry<Model> = {
      loading,
      startedAt: now,
      model: undefined,
      failure: undefined,
      failedAt: 0,
      users: 0,
      onUnused: undefined,
      lastUsedAt: now,
      expiry: undefined,
    };
    this.#entries.set(modelId, entry);
    this.#lastLoad = loading.then(
      (model) => {
        entry.model = model;
        if (entry.users === 0) this.#expireLater(modelId, entry);
      },
      (cause: unknown) => {
        entry.failure = this.#toFailure(modelId, cause);
        entry.failedAt = Date.now();
        if (!this.#closing.signal.aborted)
          this.#options.log.error({ model: modelId, err: cause }, 'model could not be loaded');
      },
    );
    return entry;
  }

  async #wait(entry: Entry<Model>, signal: AbortSignal): Promise<Model> {
    if (entry.model !== undefined) return entry.model;
    const { promise: refused, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    const timer = setTimeout(() => reject(this.#stillLoading(entry)), this.#options.loadTimeoutMs);
    try {
      return await Promise.race([this.#settled(entry), refused]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #settled(entry: Entry<Model>): Promise<Model> {
    try {
      return await entry.loading;
    } catch {
      // The handler that #startLoading attached first has turned the cause into a public error.
      throw entry.failure;
    }
  }

  #stillLoading(entry: Entry<Model>): AppError {
    const waitedSeconds = Math.ceil((Date.now() - entry.startedAt) / 1000);
    return new AppError('model_loading', 'The model is still being loaded. Try again later.', {
      retryAfterSeconds: Math.max(1, Math.min(60, waitedSeconds)),
    });
  }

  #toFailure(modelId: string, cause: unknown): AppError {
    if (cause instanceof AppError) return cause;
    return new AppError('model_load_failed', `The model '${modelId}' cannot be loaded: ${messageOf(cause)}`, {
      retryAfterSeconds: Math.ceil(this.#options.failureCoolDownMs / 1000),
      cause,
    });
  }

  #release(modelId: string, entry: Entry<Model>): void {
    entry.users--;
    entry.lastUsedAt = Date.now();
    if (entry.users > 0) return;
    entry.onUnused?.();
    if (entry.model !== undefined) this.#expireLater(modelId, entry);
  }

  #expireLater(modelId: string, entry: Entry<Model>): void {
    const keepAliveMs = this.#options.keepAliveMs(modelId);
    if (keepAliveMs === undefined || this.#closing.signal.aborted) return;
    clearTimeout(entry.expiry);
    const delayMs = Math.min(keepAliveMs, longestTimerMs);
    entry.expiry = setTimeout(() => void this.#unload(modelId, entry, 'idle'), delayMs);
    entry.expiry.unref();
  }

  /** Never rejects. Whoever asks for the model from now on has it loaded anew. */
  async #unload(modelId: string, entry: Entry<Model>, reason: string): Promise<void> {
    if (this.#entries.get(modelId) === entry) this.#entries.delete(modelId);
    clearTimeout(entry.expiry);
    if (entry.model === undefined) return;
    const unloading = entry.model.dispose().then(
      () => this.#options.log.info({ model: modelId, reason }, 'model unloaded'),
      (err: unknown) => this.#options.log.error({ model: modelId, err }, 'model could not be unloaded'),
    );
    this.#unloading.add(unloading);
    await unloading;
    this.#unloading.delete(unloading);
  }
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}

/** The first line of what went wrong, without paths: it goes to clients. */
function messageOf(cause: unknown): string {
  const [line = 'unknown reason'] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  return line.replaceAll(/(?:[A-Za-z]:)?[/\\][^\s'"]+[/\\]/g, '');
}
