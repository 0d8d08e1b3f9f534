import { AppError } from '../../errors/errors.ts';
import { waitFor } from '../../timing/wait-for.ts';
import type { EngineObserver, UnloadReason } from '../observer.ts';
import type { Log } from '../../telemetry/log.ts';
import { Crashes } from './crashes.ts';
import {
  DeviceFullError,
  LoadRefusedError,
  ModelLostError,
  type Loadable,
  type LoadPlan,
  type PooledModel,
} from './loadable.ts';
import { keepsCrashing, neverFits, toFailure, untilRetry } from './load-failure.ts';
import { LoadClock } from './load-clock.ts';
import { fitsInto, sumMemory, type MemoryUse } from './memory-use.ts';
import { PoolEntry } from './pool-entry.ts';
import { shuttingDown, tooManyWait } from '../../errors/unavailable.ts';
import type { ModelState, ModelStatus } from './model-status.ts';
import type { Caller } from '../queue/waiting-room.ts';

export interface ModelPoolOptions {
  /** What all models may take together. */
  readonly budget: MemoryUse;
  /** How long a caller waits for a model before it gets model_loading. The load goes on after that. */
  readonly loadTimeoutMs: number;
  /** How long a failed load is not tried again. */
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
/** So many models that load beside others are planned at the same time: each has a process, also while it waits for room. */
const mostPlans = 4;
/** How long after Retry-After a client is still expected to come back. */
const returnMs = 10_000;
/** The longest delay of a timer. Node takes a longer one for 1 ms. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Loads each model once, shares it among its users, and frees it when it was idle for long enough or when another
 * model needs the room. Models are loaded one at a time, in the order of the requests, because two loads would hold up
 * each other and all answers; those in processes of their own get their memory one after the other, and then load at the
 * same time. A model in use is never freed. When every loaded model is in use and another one needs room, the
 * least recently requested model takes no new users and is freed when its last user leaves.
 */
export class ModelPool {
  readonly #options: ModelPoolOptions;
  /** Requested models by id: waiting for their load, loading, loaded or failed. */
  readonly #entries = new Map<string, PoolEntry>();
  /** Models that take no new users, each with the promise that it is freed. All of them are still in memory. */
  readonly #leaving = new Map<PoolEntry, Promise<void>>();
  readonly #clock = new LoadClock();
  readonly #crashes = new Crashes();
  readonly #closing = new AbortController();
  /** For the last models that were requested, in this order: settled when the next one may make room for itself. */
  #turns: readonly Promise<void>[] = [Promise.resolve()];
  readonly #loads = new Set<Promise<void>>();
  /** Resolved and replaced whenever a user leaves or a model is freed. */
  #change = Promise.withResolvers<void>();

  constructor(options: ModelPoolOptions) {
    this.#options = options;
  }

  /** The memory that all models may take, and the memory that they take now. */
  get memory(): { readonly budget: MemoryUse; readonly used: MemoryUse } {
    return { budget: this.#options.budget, used: this.#used() };
  }

  /** Ids of the models that are loaded or being loaded. */
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
    const entry = this.#current(loadable.id) ?? this.#startLoading(loadable);
    const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
    refused.catch(() => undefined);
    const leaveRoom = this.#enterRoom(entry, caller, refuse);
    entry.enter();
    entry.keepAliveMs = keepAliveMs ?? loadable.keepAliveMs ?? Number.POSITIVE_INFINITY;
    const release = once(() => this.#release(entry));
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
    const entry = this.#entries.get(modelId);
    if (entry?.model !== undefined) this.#retire(entry, 'requested');
    else if (entry?.failure !== undefined) this.#entries.delete(modelId);
  }

  /** Gives up pending loads, waits for leases, then frees all models. */
  async close(): Promise<void> {
    this.#closing.abort(shuttingDown());
    this.#notify();
    await Promise.all(this.#loads);
    for (const entry of this.#entries.values())
      if (entry.model !== undefined) this.#retire(entry, 'shutdown');
    await Promise.all(this.#leaving.values());
  }

  #current(modelId: string): PoolEntry | undefined {
    const entry = this.#entries.get(modelId);
    return entry?.failure !== undefined && entry.retryAtMs <= Date.now() ? undefined : entry;
  }

  #startLoading(loadable: Loadable<PooledModel>): PoolEntry {
    const entry = new PoolEntry(loadable);
    this.#entries.set(entry.id, entry);
    // After this turn of the event loop, when the caller counts as a user.
    const { isElsewhere, loadsBesideOthers } = entry;
    const now = Promise.resolve();
    const [earlier = now, turn = now] = isElsewhere ? [] : [this.#turns.at(-mostPlans), this.#turns.at(-1)];
    const load = (loadsBesideOthers ? earlier : turn).then(() => this.#load(loadable, entry, turn));
    if (isElsewhere) return entry;
    const next = loadsBesideOthers ? Promise.race([load, entry.loadBegun]) : load;
    this.#turns = [...this.#turns, next].slice(-mostPlans);
    this.#loads.add(load);
    void load.then(() => this.#loads.delete(load));
    return entry;
  }

  /** Never rejects. */
  async #load(loadable: Loadable<PooledModel>, entry: PoolEntry, turn: Promise<void>): Promise<void> {
    const { log, observer } = this.#options;
    try {
      const model = await this.#loadInRoom(loadable, entry, turn);
      entry.succeed(model);
      void model.lost?.then((cause) => this.#lose(loadable, entry, cause));
      if (entry.users > 0) return;
      // A client sent away with Retry-After must still find the model loaded.
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
        Math.max(
          Date.now() + this.#coolDownMs(entry, cause),
          cause instanceof LoadRefusedError ? cause.retryAtMs : 0,
        ),
      );
    } finally {
      // Another model may wait for what this one takes less than was reserved, or for its place.
      this.#notify();
    }
  }

  /** A process may be ended by something that has nothing to do with its model, so it gets another chance or two. */
  #coolDownMs({ id, lifeMs }: PoolEntry, cause: unknown): number {
    const isForgiven = cause instanceof ModelLostError && !this.#crashes.note(id, lifeMs);
    return isForgiven ? 0 : this.#options.failureCoolDownMs;
  }

  /** Forgets a model that is gone from memory by a fault. It is loaded again unless that happens too often. */
  #lose(loadable: Loadable<PooledModel>, entry: PoolEntry, cause: ModelLostError): void {
    const { log, observer } = this.#options;
    log.error({ model: entry.id, err: cause }, 'model lost');
    observer?.modelUnloaded(entry.id, 'lost');
    const coolDownMs = this.#coolDownMs(entry, cause);
    // One that is leaving is freed when its last user has left.
    if (this.#entries.get(entry.id) !== entry || this.#closing.signal.aborted) return;
    clearTimeout(entry.expiry);
    this.#entries.delete(entry.id);
    this.#notify();
    if (coolDownMs > 0) {
      const parked = new PoolEntry(loadable);
      parked.fail(keepsCrashing(entry.id, cause), Date.now() + coolDownMs);
      this.#entries.set(parked.id, parked);
    } else if (loadable.preload === true) {
      const again = this.#startLoading(loadable);
      again.keepAliveMs = loadable.keepAliveMs ?? Number.POSITIVE_INFINITY;
      again.expectedUntilMs = Date.now() + returnMs;
    }
  }

  async #loadInRoom(
    loadable: Loadable<PooledModel>,
    entry: PoolEntry,
    turn: Promise<void>,
  ): Promise<PooledModel> {
    const { budget } = this.#options;
    const { signal } = this.#closing;
    this.#mustBeWanted(entry);
    const plan = await loadable.plan(budget, signal);
    try {
      await turn;
      this.#mustBeWanted(entry);
      return await this.#loadAsPlanned(plan, entry);
    } catch (error) {
      plan.discard?.();
      throw error;
    }
  }

  async #loadAsPlanned(plan: LoadPlan<PooledModel>, entry: PoolEntry): Promise<PooledModel> {
    const { budget } = this.#options;
    const { signal } = this.#closing;
    if (!fitsInto(budget, plan.memory)) throw neverFits(entry.id, plan, budget);
    await this.#makeRoom(plan.memory, entry);
    entry.beginLoad(plan.memory);
    const begunAtMs = Date.now();
    while (true) {
      try {
        const model = await plan.load(signal);
        const loadMs = Date.now() - begunAtMs;
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

  /** The least recently requested of the idle models; of all loaded models where none is idle. */
  #leastRecentlyUsed(): PoolEntry | undefined {
    const inMemory = [...this.#entries.values()].filter(
      ({ model, isElsewhere }) => model !== undefined && !isElsewhere,
    );
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

  /** Gives the model to no new users, and frees it when the last one has left. */
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

  /** A function that leaves the waiting room. `refuse` is called when the place is given to another caller. */
  #enterRoom(entry: PoolEntry, caller: Caller, refuse: (error: AppError) => void): (() => void) | undefined {
    if (entry.state !== 'loading') return undefined;
    const tooMany = () => tooManyWait(this.#secondsUntilLoaded(entry) * 1000);
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
    const retryAfterSeconds = this.#secondsUntilLoaded(entry);
    entry.expectedUntilMs = Date.now() + retryAfterSeconds * 1000 + returnMs;
    const text =
      entry.loadBegunAtMs === undefined ? 'The model waits for memory' : 'The model is being loaded';
    return new AppError('model_loading', `${text}. Try again later.`, { retryAfterSeconds });
  }

  #secondsUntilLoaded(entry: PoolEntry): number {
    const pending = [...this.#entries.values()].filter(({ state }) => state === 'loading');
    const ahead = pending
      .slice(0, pending.indexOf(entry) + 1)
      .filter((other) => other === entry || !other.loadsBesideOthers);
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

  /** Throws when all callers have left before the load began: no other model is to be unloaded for it. */
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

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}
