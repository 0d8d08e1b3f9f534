import type { Log } from '../../telemetry/log.ts';
import type { EngineObserver, UnloadReason } from '../observer.ts';
import { MemoryInUseError } from './loadable.ts';
import { fitsInto, noMemory, sumMemory, type MemoryUse } from './memory-use.ts';
import type { ModelNeeds, ModelStatus } from './model-status.ts';
import { isInUse, type PoolEntry } from './pool-entry.ts';

export interface MemoryOptions {
  /** Memory for all models together. */
  readonly budget: MemoryUse;
  readonly log: Log;
  readonly observer?: EngineObserver | undefined;
}

/** The longest delay of a timer. Node takes a longer one for 1 ms. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * The models that are requested, loaded or about to leave, and the memory that they take. A model in use is never
 * freed: when every loaded model is in use and another one needs room, the least recently requested model takes no new
 * users and is freed when its last user leaves.
 */
export class ModelsInMemory {
  readonly #options: MemoryOptions;
  readonly #closing: AbortSignal;
  /** Requested models by id: waiting for their load, loading, loaded or failed. */
  readonly #entries = new Map<string, PoolEntry>();
  /** Models that take no new users, each with the promise that it is freed. All of them are still in memory. */
  readonly #leaving = new Map<PoolEntry, Promise<void>>();
  /** The needs of models that were loaded, by id. */
  readonly #lastNeeds = new Map<string, ModelNeeds>();
  /** Resolved and replaced whenever a user leaves or a model is freed. */
  #change = Promise.withResolvers<void>();

  /** Once `closing` is aborted, nothing is made room for. */
  constructor(options: MemoryOptions, closing: AbortSignal) {
    this.#options = options;
    this.#closing = closing;
  }

  get used(): MemoryUse {
    return sumMemory([...this.#entries.values(), ...this.#leaving.keys()].map(({ memory }) => memory));
  }

  /** Ids of the models that are loaded or being loaded. */
  get ids(): readonly string[] {
    const entries = [...this.#entries.values()].filter(({ failure }) => failure === undefined);
    return [...new Set([...entries, ...this.#leaving.keys()].map(({ id }) => id))];
  }

  /** In the order in which they were requested. */
  get entries(): readonly PoolEntry[] {
    return [...this.#entries.values()];
  }

  find(modelId: string): PoolEntry | undefined {
    return this.#entries.get(modelId);
  }

  status(modelId: string): ModelStatus {
    const entry = this.#entries.get(modelId);
    const next = this.#lastNeeds.get(modelId);
    if (entry !== undefined) return { next, ...entry.status };
    const leaving = [...this.#leaving.keys()].find(({ id }) => id === modelId);
    return leaving === undefined ? { state: 'available', next } : { ...leaving.status, state: 'unloading' };
  }

  add(entry: PoolEntry): void {
    this.#entries.set(entry.id, entry);
  }

  /** False: it was retired or forgotten, and another one may have its id. */
  has(entry: PoolEntry): boolean {
    return this.#entries.get(entry.id) === entry;
  }

  /** Takes an entry out that holds no memory. */
  forget(entry: PoolEntry): void {
    clearTimeout(entry.expiry);
    this.#entries.delete(entry.id);
    this.notify();
  }

  /** Resolves when `needed` is free for `entry`. Throws when nobody waits for it any more, or on closing. */
  async makeRoom(needed: MemoryUse, entry: PoolEntry): Promise<void> {
    const { budget } = this.#options;
    while (!fitsInto(budget, needed, this.used)) {
      const willStay = sumMemory([...this.#entries.values()].map(({ memory }) => memory));
      const victim = fitsInto(budget, needed, willStay) ? undefined : this.#leastRecentlyUsed();
      if (victim === undefined) await this.#change.promise;
      else this.#evict(victim, entry);
      this.mustBeWanted(entry);
    }
  }

  /** As `ClaimMemory` has it. Other models that are used are never asked to go. */
  async claim(entry: PoolEntry, more: MemoryUse, unloadsOthers: boolean): Promise<(() => void) | undefined> {
    while (!fitsInto(this.#options.budget, more, this.used)) {
      const [gone] = [...this.#leaving].filter(([{ users }]) => users === 0).map(([, freed]) => freed);
      const victim = unloadsOthers ? this.#leastRecentlyUsed(entry) : undefined;
      if (this.#closing.aborted || (gone === undefined && (victim?.users ?? 1) > 0)) return undefined;
      if (gone === undefined && victim !== undefined) this.#makeWay(victim, entry);
      await gone;
    }
    entry.claimed = more;
    return () => {
      entry.claimed = noMemory;
      this.notify();
    };
  }

  /** False when no other model is in memory. */
  async freeOneFor(entry: PoolEntry): Promise<boolean> {
    const victim = this.#leastRecentlyUsed();
    if (victim !== undefined) this.#evict(victim, entry);
    const [gone] = this.#leaving.values();
    await gone;
    return gone !== undefined;
  }

  /** The least recently requested of the idle models; of all loaded models where none is idle. */
  #leastRecentlyUsed(besides?: PoolEntry): PoolEntry | undefined {
    const inMemory = [...this.#entries.values()].filter(
      (entry) => entry.model !== undefined && !entry.isElsewhere && entry !== besides,
    );
    return inMemory.toSorted(
      (a, b) => Number(a.users > 0) - Number(b.users > 0) || a.lastAwaitedAtMs - b.lastAwaitedAtMs,
    )[0];
  }

  /** Throws MemoryInUseError instead where only batches want the memory. */
  #evict(victim: PoolEntry, entry: PoolEntry): void {
    if (entry.isInBackground && isInUse(victim.users, victim.lastAwaitedAtMs))
      throw new MemoryInUseError(entry.id);
    this.#makeWay(victim, entry);
  }

  #makeWay(victim: PoolEntry, entry: PoolEntry): void {
    const ages = [...this.#entries.values()]
      .filter(({ model }) => model !== undefined)
      .map(({ id, users, lastAwaitedAtMs }) => ({ id, users, idleMs: Date.now() - lastAwaitedAtMs }));
    this.#options.log.info({ model: victim.id, for: entry.id, inMemory: ages }, 'making room');
    this.retire(victim, 'evicted');
  }

  /** Gives the model to no new users, and frees it when the last one has left. */
  retire(entry: PoolEntry, reason: UnloadReason): void {
    clearTimeout(entry.expiry);
    this.#entries.delete(entry.id);
    this.#lastNeeds.set(entry.id, entry.needs);
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
    this.notify();
  }

  /** Retires an idle model when it has been idle for as long as it stays. */
  expire(entry: PoolEntry): void {
    if (this.#closing.aborted || entry.keepAliveMs === Number.POSITIVE_INFINITY) return;
    const retire = () => this.retire(entry, 'idle');
    if (entry.keepAliveMs === 0) retire();
    else entry.expiry = setTimeout(retire, Math.min(entry.keepAliveMs, longestTimerMs)).unref();
  }

  /** Throws when all callers have left before the load began: no other model is to be unloaded for it. */
  mustBeWanted(entry: PoolEntry): void {
    this.#closing.throwIfAborted();
    if (entry.users === 0 && !entry.isExpected) throw new Error('Nobody waits for it any more');
  }

  /** Has those look again that wait for room, because a user has left or a model is gone. */
  notify(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  /** Frees all models when their last users have left. */
  async close(): Promise<void> {
    for (const entry of this.#entries.values()) if (entry.model !== undefined) this.retire(entry, 'shutdown');
    await Promise.all(this.#leaving.values());
  }
}
