import type { AppError } from '../../errors/errors.ts';
import type { Loadable, PooledModel } from './loadable.ts';
import { noMemory, sumMemory, type MemoryUse } from './memory-use.ts';
import type { ModelPlace } from './model-place.ts';
import type { ModelNeeds, ModelState, ModelStatus } from './model-status.ts';
import { WaitingRoom, type Caller } from '../queue/waiting-room.ts';

/** It waits until others are loaded; its file is checked; it waits for memory; it is loaded. */
export type LoadStage = 'turn' | 'check' | 'memory' | 'load';

/** Batches take no memory from a model within five minutes of its last use by others. */
export const quietMs = 5 * 60_000;

/** Whether somebody waits for a model with these users, or did so lately. */
export const isInUse = (users: number, lastAwaitedAtMs: number): boolean =>
  users > 0 || Date.now() - lastAwaitedAtMs < quietMs;

/** A requested model, from the first request until it is freed or its failure is forgotten. */
export class PoolEntry {
  readonly id: string;
  readonly version: string | undefined;
  readonly isElsewhere: boolean;
  readonly loadsBesideOthers: boolean;
  readonly #loadBegun = Promise.withResolvers<void>();
  readonly #loaded = Promise.withResolvers<PooledModel>();
  /** Memory reserved for it while it is being loaded. */
  reserved: MemoryUse = noMemory;
  /** More memory than it holds, which it is about to take. */
  claimed: MemoryUse = noMemory;
  /** How far it is on the way into memory. */
  stage: LoadStage = 'turn';
  /** Where it is loaded. */
  place: ModelPlace | undefined;
  /** When its load began, by `Date.now()`, as all times here; undefined: it has not. */
  loadBegunAtMs: number | undefined;
  #loadedAtMs: number | undefined;
  model: PooledModel | undefined;
  failure: AppError | undefined;
  /** A failed load is not tried again before this time. */
  retryAtMs = 0;
  /** Requests that wait until it is loaded. */
  readonly room = new WaitingRoom();
  /** Requests that use it or wait for it. */
  users = 0;
  /** Until when a client that got Retry-After is expected back; 0: no client got it. */
  expectedUntilMs = 0;
  /** When somebody last waited for an answer of it; 0: nobody did. */
  lastAwaitedAtMs = 0;
  /** When anybody last used it, a batch included; 0: nobody did. */
  #lastUsedAtMs = 0;
  /** How long it stays once it is idle; Infinity: for ever. */
  keepAliveMs = Number.POSITIVE_INFINITY;
  expiry: NodeJS.Timeout | undefined;

  constructor(loadable: Omit<Loadable<PooledModel>, 'plan'>) {
    const { id, version, isElsewhere = false, loadsBesideOthers = false } = loadable;
    this.id = id;
    this.version = version?.();
    this.isElsewhere = isElsewhere;
    this.loadsBesideOthers = loadsBesideOthers;
    // The failure is kept in `failure` as well, so the promise may be rejected without a reader.
    this.#loaded.promise.catch(() => undefined);
  }

  /** Settled by `succeed` or `fail`. */
  get loaded(): Promise<PooledModel> {
    return this.#loaded.promise;
  }

  /** Resolves when memory is reserved for it and its load has begun. */
  get loadBegun(): Promise<void> {
    return this.#loadBegun.promise;
  }

  /** Time since it was loaded; 0: it is not. */
  get lifeMs(): number {
    return this.#loadedAtMs === undefined ? 0 : Date.now() - this.#loadedAtMs;
  }

  get isExpected(): boolean {
    return this.expectedUntilMs > 0;
  }

  /** Nobody waits or has waited for an answer of it: only batches want it. */
  get isInBackground(): boolean {
    return this.users > 0 && this.lastAwaitedAtMs === 0 && !this.isExpected;
  }

  get memory(): MemoryUse {
    return sumMemory([this.model?.memory ?? this.reserved, this.claimed]);
  }

  get needs(): ModelNeeds {
    return { memory: this.memory, contextTokens: this.model?.contextTokens, place: this.place };
  }

  get state(): ModelState {
    if (this.model !== undefined) return this.model.trouble === undefined ? 'loaded' : 'failed';
    return this.failure === undefined ? 'loading' : 'failed';
  }

  get status(): ModelStatus {
    const { model } = this;
    const inMemory = model !== undefined && {
      ...this.needs,
      slots: model.slots,
      busySlots: model.busySlots,
      waiting: model.waiting,
      addresses: model.addresses,
      pid: model.pid,
      lastUsedAtMs: this.#lastUsedAtMs || undefined,
      lastAwaitedAtMs: this.lastAwaitedAtMs || undefined,
      unloadsAtMs:
        this.#lastUsedAtMs > 0 && Number.isFinite(this.keepAliveMs)
          ? this.#lastUsedAtMs + this.keepAliveMs
          : undefined,
    };
    return {
      state: this.state,
      version: this.version,
      requests: this.users,
      ...inMemory,
      error: this.failure?.message ?? model?.trouble,
    };
  }

  enter({ isBackground = false }: Caller): void {
    this.users++;
    this.#lastUsedAtMs = Date.now();
    if (!isBackground) this.lastAwaitedAtMs = Date.now();
    clearTimeout(this.expiry);
  }

  leave({ isBackground = false }: Caller): void {
    this.users--;
    this.#lastUsedAtMs = Date.now();
    if (!isBackground) this.lastAwaitedAtMs = Date.now();
  }

  beginLoad({ memory, place }: ModelNeeds): void {
    this.stage = 'load';
    this.place = place;
    this.reserved = memory;
    this.loadBegunAtMs = Date.now();
    this.#loadBegun.resolve();
  }

  succeed(model: PooledModel): void {
    this.model = model;
    this.#loadedAtMs = Date.now();
    this.#loaded.resolve(model);
  }

  fail(failure: AppError, retryAtMs: number): void {
    this.failure = failure;
    this.retryAtMs = retryAtMs;
    this.reserved = noMemory;
    this.#loaded.reject(failure);
  }
}
