import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ModelPool, type ModelPoolOptions, type Poolable } from '../../../src/engine/model-pool.ts';
import { createLog } from '../../../src/telemetry/log.ts';

const never = new AbortController().signal;

class FakeModel implements Poolable {
  readonly id: string;
  readonly #freed = Promise.withResolvers<void>();
  state: 'loaded' | 'unloading' | 'unloaded' = 'loaded';

  constructor(id: string) {
    this.id = id;
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
interface Load {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly succeed: () => FakeModel;
  readonly fail: (error: Error) => void;
}

function setUp(options: Partial<ModelPoolOptions<FakeModel>> = {}) {
  const loads: Load[] = [];
  const pool = new ModelPool<FakeModel>({
    load(id, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<FakeModel>();
      signal.addEventListener('abort', () => reject(signal.reason));
      loads.push({
        id,
        signal,
        succeed() {
          const model = new FakeModel(id);
          resolve(model);
          return model;
        },
        fail: reject,
      });
      return promise;
    },
    keepAliveMs: () => 1000,
    loadTimeoutMs: 60_000,
    failureCoolDownMs: 5000,
    log: createLog({ level: 'silent' }),
    ...options,
  });
  /** The newest load, once it has begun. */
  const nextLoad = async (count: number): Promise<Load> => {
    await vi.waitFor(() => expect(loads).toHaveLength(count));
    const load = loads.at(-1);
    if (load === undefined) throw new Error('nothing is being loaded');
    return load;
  };
  /** A lease of a model that is loaded for it. */
  const loaded = async (id: string) => {
    const acquired = pool.acquire(id, never);
    const load = await nextLoad(loads.length + 1);
    load.succeed();
    return acquired;
  };
  return { pool, loads, nextLoad, loaded };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('loading', () => {
  it('loads a model once, however many ask for it', async () => {
    const { pool, loads, nextLoad } = setUp();
    const acquired = Promise.all([1, 2, 3].map(() => pool.acquire('a', never)));
    expect(pool.state('a')).toBe('loading');
    const model = (await nextLoad(1)).succeed();
    for (const lease of await acquired) expect(lease.model).toBe(model);
    expect((await pool.acquire('a', never)).model).toBe(model);
    expect(loads).toHaveLength(1);
    expect(pool.state('a')).toBe('loaded');
  });

  it('loads different models one after the other', async () => {
    const { pool, loads, nextLoad } = setUp();
    void pool.acquire('a', never);
    const second = pool.acquire('b', never);
    const first = await nextLoad(1);
    await settle();
    expect(loads).toHaveLength(1);
    first.succeed();
    (await nextLoad(2)).succeed();
    expect((await second).model.id).toBe('b');
  });

  it('goes on to the next model when one fails', async () => {
    const { pool, nextLoad } = setUp();
    const first = expect(pool.acquire('a', never)).rejects.toThrow('cannot be loaded');
    const second = pool.acquire('b', never);
    (await nextLoad(1)).fail(new Error('broken'));
    (await nextLoad(2)).succeed();
    expect((await second).model.id).toBe('b');
    await first;
  });

  it('lets go after a while of those who wait, and goes on loading', async () => {
    const { pool, loads, nextLoad } = setUp();
    const refused = expect(pool.acquire('a', never)).rejects.toMatchObject({
      code: 'model_loading',
      retryAfterSeconds: 60,
    });
    const load = await nextLoad(1);
    await vi.advanceTimersByTimeAsync(60_000);
    await refused;
    expect(pool.state('a')).toBe('loading');
    const model = load.succeed();
    expect((await pool.acquire('a', never)).model).toBe(model);
    expect(loads).toHaveLength(1);
  });

  it('lets go at once of those who abort, and of nobody else', async () => {
    const { pool, nextLoad } = setUp();
    const caller = new AbortController();
    const left = expect(pool.acquire('a', caller.signal)).rejects.toBe('gone');
    const stays = pool.acquire('a', never);
    caller.abort('gone');
    await left;
    (await nextLoad(1)).succeed();
    expect((await stays).model.id).toBe('a');
  });

  it('does not begin for those who had aborted before', async () => {
    const { pool, loads } = setUp();
    await expect(pool.acquire('a', AbortSignal.abort('gone'))).rejects.toBe('gone');
    await settle();
    expect([loads.length, pool.state('a')]).toEqual([0, 'available']);
  });
});

describe('a model that cannot be loaded', () => {
  it('is not tried again before it has cooled down', async () => {
    const { pool, loads, nextLoad } = setUp();
    const failure = {
      code: 'model_load_failed',
      retryAfterSeconds: 5,
      message: expect.stringContaining('bad'),
    };
    const first = expect(pool.acquire('a', never)).rejects.toMatchObject(failure);
    (await nextLoad(1)).fail(new Error('bad file'));
    await first;
    expect(pool.state('a')).toBe('failed');
    await vi.advanceTimersByTimeAsync(4999);
    await expect(pool.acquire('a', never)).rejects.toMatchObject(failure);
    expect(loads).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    const again = pool.acquire('a', never);
    (await nextLoad(2)).succeed();
    expect((await again).model.id).toBe('a');
  });

  it('does not tell the outside where the file lies', async () => {
    const { pool, nextLoad } = setUp();
    const message = "The model 'a' cannot be loaded: no such file: 'model.gguf'";
    const refused = expect(pool.acquire('a', never)).rejects.toMatchObject({ message });
    (await nextLoad(1)).fail(new Error("no such file: '/home/somebody/secret/model.gguf'\n  at line 3"));
    await refused;
  });
});

describe('keeping models', () => {
  it('frees a model that was idle for long enough', async () => {
    const { pool, loaded } = setUp();
    const lease = await loaded('a');
    lease.release();
    await vi.advanceTimersByTimeAsync(999);
    expect(lease.model.state).toBe('loaded');
    await vi.advanceTimersByTimeAsync(1);
    expect(lease.model.state).toBe('unloading');
    expect(pool.state('a')).toBe('available');
  });

  it('never frees a model in use', async () => {
    const { pool, loaded } = setUp();
    const first = await loaded('a');
    const second = await pool.acquire('a', never);
    first.release();
    first.release();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(first.model.state).toBe('loaded');
    expect(await pool.evictOne()).toBe(false);
    second.release();
    await vi.advanceTimersByTimeAsync(1000);
    expect(first.model.state).toBe('unloading');
  });

  it('counts idleness from the last use', async () => {
    const { pool, loaded } = setUp();
    const lease = await loaded('a');
    lease.release();
    await vi.advanceTimersByTimeAsync(900);
    (await pool.acquire('a', never)).release();
    await vi.advanceTimersByTimeAsync(900);
    expect(lease.model.state).toBe('loaded');
  });

  it('frees a model that nobody waits for any more', async () => {
    const { pool, nextLoad } = setUp({ loadTimeoutMs: 10 });
    const refused = expect(pool.acquire('a', never)).rejects.toMatchObject({ code: 'model_loading' });
    const load = await nextLoad(1);
    await vi.advanceTimersByTimeAsync(10);
    await refused;
    const model = load.succeed();
    await vi.advanceTimersByTimeAsync(1000);
    expect(model.state).toBe('unloading');
  });

  it.each([
    ['for ever', undefined],
    ['for longer than timers run', 2 ** 40],
  ])('keeps models %s where that is wanted', async (_how, keepAliveMs) => {
    const { loaded } = setUp({ keepAliveMs: () => keepAliveMs });
    const lease = await loaded('a');
    lease.release();
    await vi.advanceTimersByTimeAsync(24 * 3_600_000);
    expect(lease.model.state).toBe('loaded');
  });

  it('loads a model anew, once it is gone, for a request that comes while it is being freed', async () => {
    const { pool, loads, nextLoad, loaded } = setUp();
    const lease = await loaded('a');
    lease.release();
    await vi.advanceTimersByTimeAsync(1000);
    const again = pool.acquire('a', never);
    await settle();
    expect([lease.model.state, loads.length]).toEqual(['unloading', 1]);
    lease.model.finishDispose();
    const newModel = (await nextLoad(2)).succeed();
    expect((await again).model).toBe(newModel);
  });
});

describe('evictOne', () => {
  it('frees the idle model that was not used for longest', async () => {
    const { pool, loaded } = setUp();
    const models = [];
    for (const id of ['a', 'b', 'c']) {
      const lease = await loaded(id);
      models.push(lease.model);
      lease.release();
      await vi.advanceTimersByTimeAsync(10);
    }
    (await pool.acquire('a', never)).release();
    const evicted = pool.evictOne();
    await settle();
    expect(models.map(({ state }) => state)).toEqual(['loaded', 'unloading', 'loaded']);
    models[1]?.finishDispose();
    expect(await evicted).toBe(true);
  });

  it('works from within a load, and counts a model that is being freed already', async () => {
    const { pool, loaded } = setUp();
    const lease = await loaded('a');
    lease.release();
    await vi.advanceTimersByTimeAsync(1000);
    const evicted = pool.evictOne();
    await settle();
    expect(lease.model.state).toBe('unloading');
    lease.model.finishDispose();
    expect(await evicted).toBe(true);
    expect(await pool.evictOne()).toBe(false);
  });
});

describe('close', () => {
  it('frees all, waits for those in use, and takes nobody in', async () => {
    const { pool, loaded } = setUp();
    const idle = await loaded('a');
    idle.release();
    const busy = await loaded('b');
    let closed = false;
    const closing = pool.close().then(() => (closed = true));
    await settle();
    idle.model.finishDispose();
    await settle();
    expect([idle.model.state, busy.model.state, closed]).toEqual(['unloaded', 'loaded', false]);
    await expect(pool.acquire('b', never)).rejects.toMatchObject({ code: 'server_shutting_down' });
    busy.release();
    await settle();
    expect([busy.model.state, closed]).toEqual(['unloading', false]);
    busy.model.finishDispose();
    await closing;
    expect(busy.model.state).toBe('unloaded');
  });

  it('gives up loads, also those that have not begun', async () => {
    const { pool, loads, nextLoad } = setUp();
    const refused = ['a', 'b'].map((id) => expect(pool.acquire(id, never)).rejects.toThrow());
    const load = await nextLoad(1);
    await pool.close();
    await Promise.all(refused);
    expect([load.signal.aborted, loads.length]).toEqual([true, 1]);
  });

  it('waits for a model that was being freed already', async () => {
    const { pool, loaded } = setUp();
    const lease = await loaded('a');
    lease.release();
    await vi.advanceTimersByTimeAsync(1000);
    let closed = false;
    const closing = pool.close().then(() => (closed = true));
    await settle();
    expect(closed).toBe(false);
    lease.model.finishDispose();
    await closing;
  });
});
