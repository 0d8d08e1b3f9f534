import { AppError } from '../../errors.ts';
import { waitFor } from '../../wait-for.ts';
import type { EngineObserver, UnloadReason } from '../observer.ts';
import type { Log } from '../../telemetry/log.ts';
import {
  DeviceFullError,
  LoadRefusedError,
  type Loadable,
  type LoadPlan,
  type PooledModel,
} from './loadable.ts';
import { LoadClock } from './load-clock.ts';
import { fitsInto, formatMemory, sumMemory, type MemoryUse } from './memory-use.ts';
import { PoolEntry } from './pool-entry.ts';
import { shuttingDown } from '../queue/running-work.ts';
import type { ModelState, ModelStatus } from '../types.ts';
import type { Caller } from '../queue/waiting-room.ts';

export interface ModelPoolOptions {
  /** What all models may take together. */
  readonly budget: MemoryUse;
  /** A caller waits so long for a model before it is told model_loading; the load goes on. */
  readonly loadTimeoutMs: number;
  /** After a failed load nobody tries again for so long. */
  readonly failureCoolDownMs: number;
  /** Most callers that wait for one model. */
  readonly queueLimit: number;
  readonly log: Log;
  readonly observer?: EngineObserver | undefined;
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
/** How long after its time whoever was told to come back may still do so. */
const returnMs = 10_000;
/** The longest delay of a timer; it takes longer ones for none at all. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Loads each model once, shares it among its users, and frees it when it was idle for long enough or when another
 * one needs the room. One load at a time, in the order in which they were asked for: two would fight for disk and
 * memory. A model in use is never freed. Where only such are left, the one that was asked for longest ago takes no
 * new users: it goes when its last one leaves, so that the next model in turn gets its share of the time.
 */
export class ModelPool {
  readonly #options: ModelPoolOptions;
  /** What is asked for, by id: waiting for its load, loading, loaded or failed. */
  readonly #entries = new Map<string, PoolEntry>();
  /** Models that nobody new gets, and the promises that they are gone: some still in use, all still in memory. */
  readonly #leaving = new Map<PoolEntry, Promise<void>>();
  readonly #clock = new LoadClock();
  readonly #closing = new AbortController();
  #lastLoad: Promise<void> = Promise.resolve();
  /** Resolved, and made anew, whenever somebody leaves or a model is gone. */
  #change = Promise.withResolvers<void>();

  constructor(options: ModelPoolOptions) {
    this.#options = options;
  }

  /** What models may take together, and what those in memory take. */
  get memory(): { readonly budget: MemoryUse; readonly used: MemoryUse } {
    return { budget: this.#options.budget, used: this.#used() };
  }

  /** Ids of the models that are in memory or on their way there. */
  get inMemory(): readonly string[] {
    const entries = [...this.#entries.values()].filter(({ failure }) => failure === undefined);
    return [...new Set([...entries, ...this.#leaving.keys()].map(({ id }) => id))];
  }

  state(modelId: string): ModelState {
    return this.#entries.get(modelId)?.state ?? 'available';
  }

  status(modelId: string): ModelStatus {
    const entry = this.#entries.get(modelId);
    if (entry !== undefined) return entry.status;
    const leaving = [...this.#leaving.keys()].find(({ id }) => id === modelId);
    return leaving === undefined ? { state: 'available' } : { ...leaving.status, state: 'unloading' };
  }

  /**
   * The model, loaded if need be; release the lease when done.
   * Throws AppError: model_loading after `loadTimeoutMs`, model_load_failed, server_overloaded,
   * server_shutting_down; or the signal's reason.
   */
  async acquire<Model extends PooledModel>(
    loadable: Loadable<Model>,
    { caller = serverItself, signal, keepAliveMs }: AcquireOptions,
  ): Promise<Lease<Model>> {
    signal.throwIfAborted();
    if (this.#closing.signal.aborted) throw shuttingDown();
    const entry = this.#current(loadable.id) ?? this.#startLoading(loadable);
    const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
    refused.catch(() => undefined);
    const leaveRoom = this.#enterRoom(entry, caller, refuse);
    entry.enter();
    entry.keepAliveMs = keepAliveMs ?? loadable.keepAliveMs ?? Number.POSITIVE_INFINITY;
    const release = once(() => this.#release(entry));
    try {
      // An id is that of one loadable only, so this is the kind of model that it loads.
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
   * Frees a model as soon as nobody uses it, or forgets that it could not be loaded; whoever asks for it from now on
   * has it loaded anew.
   */
  unload(modelId: string): void {
    const entry = this.#entries.get(modelId);
    if (entry?.model !== undefined) this.#retire(entry, 'requested');
    else if (entry?.failure !== undefined) this.#entries.delete(modelId);
  }

  /** Frees everything: loads are given up, leases waited for. */
  async close(): Promise<void> {
    this.#closing.abort(shuttingDown());
    this.#notify();
    await this.#lastLoad;
    for (const entry of this.#entries.values())
      if (entry.model !== undefined) this.#retire(entry, 'shutdown');
    await Promise.all(this.#leaving.values());
  }

  #current(modelId: string): PoolEntry | undefined {
    const entry = this.#entries.get(modelId);
    return entry?.failure !== undefined && entry.retryAtMs <= Date.now() ? undefined : entry;
  }

  #startLoading(loadable: Loadable<PooledModel>): PoolEntry {
    const entry = new PoolEntry(loadable.id);
    this.#entries.set(entry.id, entry);
    this.#lastLoad = this.#lastLoad.then(() => this.#load(loadable, entry));
    return entry;
  }

  /** Never rejects. */
  async #load(loadable: Loadable<PooledModel>, entry: PoolEntry): Promise<void> {
    const { log, observer, failureCoolDownMs } = this.#options;
    try {
      const model = await this.#loadInRoom(loadable, entry);
      entry.succeed(model);
      if (entry.users > 0) return;
      // Whoever was told to come back finds it, however short its stay would be else.
      entry.keepAliveMs = Math.max(entry.keepAliveMs, entry.expectedUntilMs - Date.now());
      this.#expire(entry);
    } catch (cause) {
      const isWanted = (entry.users > 0 || entry.isExpected) && !this.#closing.signal.aborted;
      if (isWanted) {
        log.error({ model: entry.id, err: cause }, 'model could not be loaded');
        observer?.modelLoadFailed(entry.id);
      } else this.#entries.delete(entry.id);
      entry.fail(
        this.#closing.signal.aborted ? shuttingDown() : toFailure(entry.id, cause),
        Math.max(Date.now() + failureCoolDownMs, cause instanceof LoadRefusedError ? cause.retryAtMs : 0),
      );
    }
  }

  async #loadInRoom(loadable: Loadable<PooledModel>, entry: PoolEntry): Promise<PooledModel> {
    const { budget } = this.#options;
    const { signal } = this.#closing;
    this.#mustBeWanted(entry);
    const plan = await loadable.plan(budget, signal);
    if (!fitsInto(budget, plan.memory)) throw neverFits(entry.id, plan, budget);
    await this.#makeRoom(plan.memory, entry);
    entry.reserved = plan.memory;
    entry.loadBegunAtMs = Date.now();
    while (true) {
      try {
        const model = await plan.load(signal);
        const loadMs = Date.now() - entry.loadBegunAtMs;
        this.#clock.observe(entry.id, loadMs);
        this.#options.observer?.modelLoaded(entry.id, loadMs);
        return model;
      } catch (error) {
        if (!(error instanceof DeviceFullError) || !(await this.#freeOneFor(entry))) throw error;
      }
    }
  }

  async #makeRoom(needed: MemoryUse, entry: PoolEntry): Promise<void> {
    const { budget } = this.#options;
    while (!fitsInto(budget, needed, this.#used())) {
      const willStay = sumMemory([...this.#entries.values()].map(({ memory }) => memory));
      const victim = fitsInto(budget, needed, willStay) ? undefined : this.#leastRecentlyUsed();
      if (victim === undefined) await this.#change.promise;
      else this.#evict(victim, entry);
      this.#mustBeWanted(entry);
    }
  }

  /** False when no other model is in memory. */
  async #freeOneFor(entry: PoolEntry): Promise<boolean> {
    const victim = this.#leastRecentlyUsed();
    if (victim !== undefined) this.#evict(victim, entry);
    const [gone] = this.#leaving.values();
    await gone;
    return gone !== undefined;
  }

  /** Of the idle models, else of all in memory, the one that was asked for longest ago. */
  #leastRecentlyUsed(): PoolEntry | undefined {
    const inMemory = [...this.#entries.values()].filter(({ model }) => model !== undefined);
    return inMemory.toSorted(
      (a, b) => Number(a.users > 0) - Number(b.users > 0) || a.lastUsedAtMs - b.lastUsedAtMs,
    )[0];
  }

  #evict(victim: PoolEntry, entry: PoolEntry): void {
    const ages = [...this.#entries.values()]
      .filter(({ model }) => model !== undefined)
      .map(({ id, users, lastUsedAtMs }) => ({ id, users, idleMs: Date.now() - lastUsedAtMs }));
    this.#options.log.info({ model: victim.id, for: entry.id, inMemory: ages }, 'making room');
    this.#retire(victim, 'evicted');
  }

  /** Nobody new gets the model; it goes as soon as nobody uses it. */
  #retire(entry: PoolEntry, reason: UnloadReason): void {
    clearTimeout(entry.expiry);
    this.#entries.delete(entry.id);
    this.#leaving.set(entry, this.#unload(entry, reason));
  }

  /** Never rejects. */
  async #unload(entry: PoolEntry, reason: UnloadReason): Promise<void> {
    const { log, observer } = this.#options;
    while (entry.users > 0) await this.#change.promise;
    try {
      await entry.model?.dispose();
      log.info({ model: entry.id, reason }, 'model unloaded');
      observer?.modelUnloaded(entry.id, reason);
    } catch (err) {
      log.error({ model: entry.id, err }, 'model could not be unloaded');
    }
    this.#leaving.delete(entry);
    this.#notify();
  }

  /** `refuse` is called if the place goes to somebody else. Throws server_overloaded. */
  #enterRoom(entry: PoolEntry, caller: Caller, refuse: (error: AppError) => void): (() => void) | undefined {
    if (entry.state !== 'loading') return undefined;
    const message = 'Too many requests wait for this model already. Try again later.';
    const overloaded = () =>
      new AppError('server_overloaded', message, { retryAfterSeconds: this.#secondsUntilLoaded(entry) });
    const leave = entry.room.enter(caller, this.#options.queueLimit, () => refuse(overloaded()));
    if (leave === undefined) throw overloaded();
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
    const retryAfterSeconds = this.#secondsUntilLoaded(entry);
    entry.expectedUntilMs = Date.now() + retryAfterSeconds * 1000 + returnMs;
    const text =
      entry.loadBegunAtMs === undefined ? 'The model waits for memory' : 'The model is being loaded';
    return new AppError('model_loading', `${text}. Try again later.`, { retryAfterSeconds });
  }

  #secondsUntilLoaded(entry: PoolEntry): number {
    const pending = [...this.#entries.values()].filter(({ state }) => state === 'loading');
    const ahead = pending.slice(0, pending.indexOf(entry) + 1);
    const loads = ahead.map(({ id, loadBegunAtMs: begunAtMs }) => ({ id, begunAtMs }));
    return this.#clock.secondsUntilLoaded(loads, Date.now());
  }

  #release(entry: PoolEntry): void {
    entry.leave();
    this.#notify();
    const isCurrent = this.#entries.get(entry.id) === entry;
    if (entry.users === 0 && entry.model !== undefined && isCurrent) this.#expire(entry);
  }

  #expire(entry: PoolEntry): void {
    if (this.#closing.signal.aborted || entry.keepAliveMs === Number.POSITIVE_INFINITY) return;
    const retire = () => this.#retire(entry, 'idle');
    if (entry.keepAliveMs === 0) retire();
    else entry.expiry = setTimeout(retire, Math.min(entry.keepAliveMs, longestTimerMs)).unref();
  }

  /** A load that all who asked for it gave up before it began must not push another model out. */
  #mustBeWanted(entry: PoolEntry): void {
    this.#closing.signal.throwIfAborted();
    if (entry.users === 0 && !entry.isExpected) throw new Error('Nobody waits for it any more');
  }

  #used(): MemoryUse {
    return sumMemory([...this.#entries.values(), ...this.#leaving.keys()].map(({ memory }) => memory));
  }

  #notify(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }
}

function neverFits(id: string, plan: LoadPlan<PooledModel>, budget: MemoryUse): AppError {
  const needed = formatMemory(plan.memory);
  const text = `The model '${id}' needs about ${needed}, but models may take ${formatMemory(budget)} here.`;
  return new AppError('model_load_failed', `${text} ${plan.remedy}`);
}

function toFailure(id: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError('model_load_failed', `The model '${id}' cannot be loaded: ${messageOf(cause)}`, {
    cause,
  });
}

/** The failure as it is told to one caller, with the time that is left. */
function untilRetry(failure: AppError, retryAtMs: number): AppError {
  const { code, message, param, cause } = failure;
  const retryAfterSeconds = Math.max(1, Math.ceil((retryAtMs - Date.now()) / 1000));
  return new AppError(code, message, { ...(param !== null && { param }), retryAfterSeconds, cause });
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
  const text = line.replaceAll(/(?:[A-Za-z]:)?[/\\][^\s'"]+[/\\]/g, '');
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
