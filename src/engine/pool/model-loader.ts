import { shuttingDown } from '../../errors/unavailable.ts';
import { LoadClock } from './load-clock.ts';
import { keepsCrashing, neverFits, toFailure } from './load-failure.ts';
import {
  DeviceFullError,
  LoadRefusedError,
  MemoryInUseError,
  ModelLostError,
  type Loadable,
  type LoadPlan,
  type PooledModel,
} from './loadable.ts';
import { fitsInto } from './memory-use.ts';
import type { MemoryOptions, ModelsInMemory } from './models-in-memory.ts';
import { PoolEntry } from './pool-entry.ts';

export interface LoaderOptions extends MemoryOptions {
  /** How long a failed load is not tried again. */
  readonly failureCoolDownMs: number;
}

/** Most models that are planned at the same time: each has a process, also while it waits for room. */
const mostPlans = 4;
/** How long after Retry-After a client is still expected to come back. */
export const returnMs = 10_000;

/**
 * Loads models, one at a time in the order of the requests, because two loads would hold up each other and all answers.
 * Those in processes of their own get their memory one after the other, and then load at the same time. A model that was
 * lost may be loaded again.
 */
export class ModelLoader {
  readonly #options: LoaderOptions;
  readonly #models: ModelsInMemory;
  readonly #closing: AbortSignal;
  readonly #clock = new LoadClock();
  readonly #crashes = new Crashes();
  /** For the last models that were requested, in this order: settled when the next one may make room for itself. */
  #turns: readonly Promise<void>[] = [];
  readonly #loads = new Set<Promise<void>>();

  /** Once `closing` is aborted, all loads fail. */
  constructor(options: LoaderOptions, models: ModelsInMemory, closing: AbortSignal) {
    this.#options = options;
    this.#models = models;
    this.#closing = closing;
  }

  /** Resolves when no load is under way any more. */
  get idle(): Promise<unknown> {
    return Promise.all(this.#loads);
  }

  /** The entry of a model whose load begins when its turn has come. */
  start(loadable: Loadable<PooledModel>): PoolEntry {
    const entry = new PoolEntry(loadable);
    this.#models.add(entry);
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

  /** Whole seconds, 1 to 600, until the model of `entry` should be there. */
  secondsUntilLoaded(entry: PoolEntry): number {
    const pending = this.#models.entries.filter(({ state }) => state === 'loading');
    const ahead = pending
      .slice(0, pending.indexOf(entry) + 1)
      .filter((other) => other === entry || !other.loadsBesideOthers);
    const loads = ahead.map(({ id, loadBegunAtMs: begunAtMs }) => ({ id, begunAtMs }));
    return this.#clock.secondsUntilLoaded(loads, Date.now());
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
      this.#models.expire(entry);
    } catch (cause) {
      const isPostponed = this.#closing.aborted || cause instanceof MemoryInUseError;
      const isWanted = (entry.users > 0 || entry.isExpected) && !isPostponed;
      if (isWanted) {
        log.error({ model: entry.id, err: cause }, 'model could not be loaded');
        observer?.modelLoadFailed(entry.id);
      } else this.#models.forget(entry);
      entry.fail(
        this.#closing.aborted ? shuttingDown() : toFailure(entry.id, cause),
        Math.max(
          Date.now() + this.#coolDownMs(entry, cause),
          cause instanceof LoadRefusedError ? cause.retryAtMs : 0,
        ),
      );
    } finally {
      // Another model may wait for reserved memory that this one does not take, or for its place.
      this.#models.notify();
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
    if (!this.#models.has(entry) || this.#closing.aborted) return;
    this.#models.forget(entry);
    if (coolDownMs > 0) {
      const parked = new PoolEntry(loadable);
      parked.fail(keepsCrashing(entry.id, cause), Date.now() + coolDownMs);
      this.#models.add(parked);
    } else if (loadable.preload === true) {
      const again = this.start(loadable);
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
    const signal = this.#closing;
    this.#models.mustBeWanted(entry);
    entry.stage = 'check';
    const plan = await loadable.plan(budget, signal);
    try {
      entry.stage = 'turn';
      await turn;
      this.#models.mustBeWanted(entry);
      return await this.#loadAsPlanned(plan, entry);
    } catch (error) {
      plan.discard?.();
      throw error;
    }
  }

  async #loadAsPlanned(plan: LoadPlan<PooledModel>, entry: PoolEntry): Promise<PooledModel> {
    const { budget } = this.#options;
    const signal = this.#closing;
    if (!fitsInto(budget, plan.memory)) throw neverFits(entry.id, plan, budget);
    entry.stage = 'memory';
    await this.#models.makeRoom(plan.memory, entry);
    entry.beginLoad(plan);
    const begunAtMs = Date.now();
    while (true) {
      try {
        const model = await plan.load(signal, (more, unloadsOthers) =>
          this.#models.claim(entry, more, unloadsOthers),
        );
        const loadMs = Date.now() - begunAtMs;
        this.#clock.observe(entry.id, loadMs);
        this.#options.observer?.modelLoaded(entry.id, loadMs);
        return model;
      } catch (error) {
        if (!(error instanceof DeviceFullError) || !(await this.#models.freeOneFor(entry))) throw error;
      }
    }
  }
}

/** Crashes in a row, each soon after the load, at which a model counts as broken. */
const tooManyCrashes = 3;
const shortLifeMs = 3000;

/** Tells which models crash whenever they are loaded. */
export class Crashes {
  readonly #inRow = new Map<string, number>();

  /** Notes that a model was lost `lifeMs` after its load. True when that happened too often: then the count begins anew. */
  note(modelId: string, lifeMs: number): boolean {
    const count = lifeMs < shortLifeMs ? (this.#inRow.get(modelId) ?? 0) + 1 : 0;
    const isTooOften = count >= tooManyCrashes;
    this.#inRow.set(modelId, isTooOften ? 0 : count);
    return isTooOften;
  }
}
