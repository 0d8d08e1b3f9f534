import { vi, expect } from 'vitest';
import type { Loadable, LoadPlan, PooledModel } from '../../../src/engine/pool/loadable.ts';
import { ModelPool, type ModelPoolOptions } from '../../../src/engine/pool/model-pool.ts';
import { createLog } from '../../../src/telemetry/log.ts';

/** The options of a caller who waits for ever. */
export const never = { signal: new AbortController().signal };
export const ram = (ramBytes: number) => ({ ramBytes, vramBytes: 0 });

/** A model that takes memory until the test says that it is freed. */
export class FakeModel implements PooledModel {
  readonly id: string;
  readonly memory: PooledModel['memory'];
  readonly #freed = Promise.withResolvers<void>();
  state: 'loaded' | 'unloading' | 'unloaded' = 'loaded';

  constructor(id: string, memory = ram(0)) {
    this.id = id;
    this.memory = memory;
  }

  async dispose(): Promise<void> {
    this.state = 'unloading';
    await this.#freed.promise;
    this.state = 'unloaded';
  }

  finishDispose(): void {
    this.#freed.resolve();
  }
}

/** One load under way: the test says when and how it ends. */
export interface Load {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly succeed: () => FakeModel;
  readonly fail: (error: Error) => void;
}

interface SetUpOptions extends Partial<ModelPoolOptions> {
  readonly keepAliveMs?: number | undefined;
  /** Models load in processes of their own. */
  readonly besideOthers?: boolean;
  /** Bytes of memory that each model takes, by its id; default: 0. */
  readonly sizes?: Readonly<Record<string, number>>;
}

/** A pool of fake models, for tests with fake timers. */
export function openFakePool({ sizes = {}, besideOthers = false, ...options }: SetUpOptions = {}) {
  const loads: Load[] = [];
  const pool = new ModelPool({
    budget: ram(100),
    loadTimeoutMs: 60_000,
    failureCoolDownMs: 5000,
    queueLimit: 8,
    log: createLog({ level: 'silent' }),
    ...options,
  });
  const loadable = (id: string): Loadable<FakeModel> => ({
    id,
    keepAliveMs: 'keepAliveMs' in options ? options.keepAliveMs : 1000,
    loadsBesideOthers: besideOthers,
    plan: async (): Promise<LoadPlan<FakeModel>> => {
      const memory = ram(sizes[id] ?? 0);
      return { memory, remedy: 'Make it smaller.', load: (signal) => begin(id, memory, signal) };
    },
  });
  const begin = (id: string, memory: PooledModel['memory'], signal: AbortSignal): Promise<FakeModel> => {
    const { promise, resolve, reject } = Promise.withResolvers<FakeModel>();
    signal.addEventListener('abort', () => reject(signal.reason));
    loads.push({
      id,
      signal,
      succeed() {
        const model = new FakeModel(id, memory);
        resolve(model);
        return model;
      },
      fail: reject,
    });
    return promise;
  };
  const acquire = (id: string, how: Parameters<ModelPool['acquire']>[1] = never) =>
    pool.acquire(loadable(id), how);
  /** The newest load, once it has begun. */
  const nextLoad = async (count: number): Promise<Load> => {
    await vi.waitFor(() => expect(loads).toHaveLength(count));
    const load = loads.at(-1);
    if (load === undefined) throw new Error('nothing is being loaded');
    return load;
  };
  /** A lease of a model that is loaded for it. */
  const loaded = async (id: string) => {
    const acquired = acquire(id);
    const load = await nextLoad(loads.length + 1);
    load.succeed();
    return acquired;
  };
  return { pool, acquire, loads, nextLoad, loaded };
}
