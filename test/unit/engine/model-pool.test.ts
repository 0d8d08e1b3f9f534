import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  DeviceFullError,
  type Loadable,
  type LoadPlan,
  type PooledModel,
} from '../../../src/engine/loadable.ts';
import { ModelPool, type ModelPoolOptions } from '../../../src/engine/model-pool.ts';
import { createLog } from '../../../src/telemetry/log.ts';

const never = { signal: new AbortController().signal };
const ram = (ramBytes: number) => ({ ramBytes, vramBytes: 0 });

class FakeModel implements PooledModel {
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
interface Load {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly succeed: () => FakeModel;
  readonly fail: (error: Error) => void;
}

interface SetUpOptions extends Partial<ModelPoolOptions> {
  readonly keepAliveMs?: number | undefined;
  /** What each model takes by its id; default: nothing. */
  readonly sizes?: Readonly<Record<string, number>>;
}

function setUp({ sizes = {}, ...options }: SetUpOptions = {}) {
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

const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('loading', () => {
  it('loads a model once, however many ask for it', async () => {
    const { pool, acquire, loads, nextLoad, loaded } = setUp();
    const acquired = Promise.all([1, 2, 3].map(() => acquire('a')));
    expect(pool.state('a')).toBe('loading');
    const model = (await nextLoad(1)).succeed();
    for (const lease of await acquired) expect(lease.model).toBe(model);
    expect((await acquire('a')).model).toBe(model);
    expect(loads).toHaveLength(1);
    expect(pool.state('a')).toBe('loaded');
  });

  it('loads different models one after the other', async () => {
    const { acquire, loads, nextLoad } = setUp();
    void acquire('a');
    const second = acquire('b');
    const first = await nextLoad(1);
    await settle();
    expect(loads).toHaveLength(1);
    first.succeed();
    (await nextLoad(2)).succeed();
    expect((await second).model.id).toBe('b');
  });

  it('goes on to the next model when one fails', async () => {
    const { acquire, nextLoad, loaded } = setUp();
    const first = expect(acquire('a')).rejects.toThrow('cannot be loaded');
    const second = acquire('b');
    (await nextLoad(1)).fail(new Error('broken'));
    (await nextLoad(2)).succeed();
    expect((await second).model.id).toBe('b');
    await first;
  });

  it('lets go after a while of those who wait, and goes on loading', async () => {
    const { pool, acquire, loads, nextLoad } = setUp();
    const refused = expect(acquire('a')).rejects.toMatchObject({
      code: 'model_loading',
      retryAfterSeconds: 60,
    });
    const load = await nextLoad(1);
    await vi.advanceTimersByTimeAsync(60_000);
    await refused;
    expect(pool.state('a')).toBe('loading');
    const model = load.succeed();
    expect((await acquire('a')).model).toBe(model);
    expect(loads).toHaveLength(1);
  });

  it('lets go at once of those who abort, and of nobody else', async () => {
    const { acquire, nextLoad } = setUp();
    const caller = new AbortController();
    const left = expect(acquire('a', { signal: caller.signal })).rejects.toBe('gone');
    const stays = acquire('a');
    caller.abort('gone');
    await left;
    (await nextLoad(1)).succeed();
    expect((await stays).model.id).toBe('a');
  });

  it('does not begin for those who had aborted before', async () => {
    const { pool, acquire, loads, loaded } = setUp();
    await expect(acquire('a', { signal: AbortSignal.abort('gone') })).rejects.toBe('gone');
    await settle();
    expect([loads.length, pool.state('a')]).toEqual([0, 'available']);
  });
});

describe('a model that cannot be loaded', () => {
  it('is not tried again before it has cooled down', async () => {
    const { pool, acquire, loads, nextLoad } = setUp();
    const failure = {
      code: 'model_load_failed',
      retryAfterSeconds: 5,
      message: expect.stringContaining('bad'),
    };
    const first = expect(acquire('a')).rejects.toMatchObject(failure);
    (await nextLoad(1)).fail(new Error('bad file'));
    await first;
    expect(pool.state('a')).toBe('failed');
    await vi.advanceTimersByTimeAsync(4999);
    await expect(acquire('a')).rejects.toMatchObject({ ...failure, retryAfterSeconds: 1 });
    expect(loads).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    const again = acquire('a');
    (await nextLoad(2)).succeed();
    expect((await again).model.id).toBe('a');
  });

  it('does not tell the outside where the file lies', async () => {
    const { acquire, nextLoad } = setUp();
    const message = "The model 'a' cannot be loaded: no such file: 'model.gguf'.";
    const refused = expect(acquire('a')).rejects.toMatchObject({ message });
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
    const { pool, acquire, loaded } = setUp();
    const first = await loaded('a');
    const second = await acquire('a');
    first.release();
    first.release();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(first.model.state).toBe('loaded');
    second.release();
    await vi.advanceTimersByTimeAsync(1000);
    expect(first.model.state).toBe('unloading');
  });

  it('counts idleness from the last use', async () => {
    const { acquire, loaded } = setUp();
    const lease = await loaded('a');
    lease.release();
    await vi.advanceTimersByTimeAsync(900);
    (await acquire('a')).release();
    await vi.advanceTimersByTimeAsync(900);
    expect(lease.model.state).toBe('loaded');
  });

  it('frees a model that nobody waits for any more', async () => {
    const { acquire, nextLoad } = setUp({ loadTimeoutMs: 10 });
    const refused = expect(acquire('a')).rejects.toMatchObject({ code: 'model_loading' });
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
    const { loaded } = setUp({ keepAliveMs });
    const lease = await loaded('a');
    lease.release();
    await vi.advanceTimersByTimeAsync(24 * 3_600_000);
    expect(lease.model.state).toBe('loaded');
  });

  it('loads a model anew for a request that comes while it is being freed', async () => {
    const { acquire, nextLoad, loaded } = setUp();
    const lease = await loaded('a');
    lease.release();
    await vi.advanceTimersByTimeAsync(1000);
    const again = acquire('a');
    const newModel = (await nextLoad(2)).succeed();
    expect((await again).model).toBe(newModel);
    expect(lease.model.state).toBe('unloading');
  });
});

describe('room', () => {
  const sizes = { a: 40, b: 40, c: 40, whole: 100, huge: 101 };

  it('is made by the idle model that was not used for longest', async () => {
    const { pool, acquire, nextLoad, loaded } = setUp({ sizes });
    const a = await loaded('a');
    a.release();
    await vi.advanceTimersByTimeAsync(10);
    const b = await loaded('b');
    b.release();
    await vi.advanceTimersByTimeAsync(10);
    (await acquire('a')).release();
    const c = acquire('c');
    await settle();
    expect([a.model.state, b.model.state, pool.state('c')]).toEqual(['loaded', 'unloading', 'loading']);
    expect(pool.memory.used).toEqual(ram(80));
    b.model.finishDispose();
    (await nextLoad(3)).succeed();
    expect((await c).model.id).toBe('c');
    expect(pool.memory.used).toEqual(ram(80));
  });

  it('is made by as many models as it takes', async () => {
    const { acquire, nextLoad, loaded } = setUp({ sizes });
    const leases = [await loaded('a'), await loaded('b')];
    for (const { release } of leases) release();
    const whole = acquire('whole');
    await settle();
    expect(leases.map(({ model }) => model.state)).toEqual(['unloading', 'unloading']);
    for (const { model } of leases) model.finishDispose();
    (await nextLoad(3)).succeed();
    expect((await whole).model.id).toBe('whole');
  });

  it('is never made by a model in use, but it gets nobody new', async () => {
    const { pool, acquire, loads, nextLoad, loaded } = setUp({ sizes });
    const a = await loaded('a');
    await vi.advanceTimersByTimeAsync(10);
    const b = await loaded('b');
    const c = acquire('c');
    await settle();
    const again = acquire('a');
    await settle();
    expect([a.model.state, b.model.state, loads.length]).toEqual(['loaded', 'loaded', 2]);
    a.release();
    await settle();
    expect([a.model.state, b.model.state]).toEqual(['unloading', 'loaded']);
    a.model.finishDispose();
    (await nextLoad(3)).succeed();
    expect((await c).model.id).toBe('c');
    // Whoever asked for the first one meanwhile is next in turn.
    b.release();
    await settle();
    expect(b.model.state).toBe('unloading');
    b.model.finishDispose();
    const anew = (await nextLoad(4)).succeed();
    expect((await again).model).toBe(anew);
    expect(pool.memory.used).toEqual(ram(80));
  });

  it('is refused to a model that can never fit, with the numbers and what to do', async () => {
    const { acquire, loads, loaded } = setUp({
      sizes: { ...sizes, huge: 3 * 2 ** 30 },
      budget: ram(2 ** 30),
    });
    const a = await loaded('a');
    a.release();
    await expect(acquire('huge')).rejects.toMatchObject({
      code: 'model_load_failed',
      message: "The model 'huge' needs about 3.0 GiB, but models may take 1.0 GiB here. Make it smaller.",
    });
    expect([a.model.state, loads.length]).toEqual(['loaded', 1]);
  });

  it('is not made for a model that nobody waits for any more', async () => {
    const { pool, acquire, loads, loaded } = setUp({ sizes });
    const a = await loaded('a');
    const caller = new AbortController();
    const left = expect(acquire('whole', { signal: caller.signal })).rejects.toBe('gone');
    const later = expect(acquire('c')).resolves.toBeDefined();
    await settle();
    caller.abort('gone');
    await left;
    await settle();
    expect([pool.state('whole'), loads.map(({ id }) => id)]).toEqual(['available', ['a', 'c']]);
    loads.at(-1)?.succeed();
    await later;
    expect(a.model.state).toBe('loaded');
  });

  it('is made for a model that somebody was told to come back for', async () => {
    const { acquire, nextLoad, loaded } = setUp({ sizes, loadTimeoutMs: 1000, keepAliveMs: undefined });
    const a = await loaded('a');
    const refused = expect(acquire('whole')).rejects.toMatchObject({ code: 'model_loading' });
    await vi.advanceTimersByTimeAsync(1000);
    await refused;
    a.release();
    await settle();
    a.model.finishDispose();
    expect((await nextLoad(2)).id).toBe('whole');
  });

  it('is made where the device turns out fuller than was thought', async () => {
    const { acquire, nextLoad, loaded } = setUp();
    const a = await loaded('a');
    a.release();
    const b = acquire('b');
    (await nextLoad(2)).fail(new DeviceFullError('no room on the GPU'));
    await settle();
    expect(a.model.state).toBe('unloading');
    a.model.finishDispose();
    const again = expect(b).rejects.toMatchObject({ code: 'model_load_failed' });
    (await nextLoad(3)).fail(new DeviceFullError('no room on the GPU'));
    await again;
  });
});

describe('waiting', () => {
  it('is bounded', async () => {
    const { acquire, nextLoad } = setUp({ queueLimit: 2 });
    const waiting = [acquire('a'), acquire('a')];
    await expect(acquire('a')).rejects.toMatchObject({ code: 'server_overloaded', retryAfterSeconds: 2 });
    (await nextLoad(1)).succeed();
    await Promise.all(waiting);
    expect((await acquire('a')).model.id).toBe('a');
  });

  it('is told to take as long as the load took before, and those before it', async () => {
    const { acquire, nextLoad } = setUp({ loadTimeoutMs: 4000, keepAliveMs: 0 });
    for (const [count, [id, loadMs]] of Object.entries({ a: 2900, b: 3500 }).entries()) {
      const acquired = acquire(id);
      const load = await nextLoad(count + 1);
      await vi.advanceTimersByTimeAsync(loadMs);
      load.succeed();
      (await acquired).release();
    }
    const refused = [
      expect(acquire('b')).rejects.toMatchObject({ code: 'model_loading', retryAfterSeconds: 4 }),
      expect(acquire('a')).rejects.toMatchObject({ code: 'model_loading', retryAfterSeconds: 7 }),
    ];
    await vi.advanceTimersByTimeAsync(4000);
    await Promise.all(refused);
  });
});

describe('keep-alive of one use', () => {
  it('of 0 frees the model at once, however it is set', async () => {
    const { acquire, loaded } = setUp({ keepAliveMs: undefined });
    const lease = await loaded('a');
    lease.release();
    (await acquire('a', { ...never, keepAliveMs: 0 })).release();
    expect(lease.model.state).toBe('unloading');
  });

  it('holds until the next use, which goes by the setting again', async () => {
    const { acquire, loaded } = setUp({ keepAliveMs: 1000 });
    const lease = await loaded('a');
    lease.release();
    (await acquire('a', { ...never, keepAliveMs: Number.POSITIVE_INFINITY })).release();
    await vi.advanceTimersByTimeAsync(1e9);
    expect(lease.model.state).toBe('loaded');
    (await acquire('a')).release();
    await vi.advanceTimersByTimeAsync(1000);
    expect(lease.model.state).toBe('unloading');
  });
});

describe('unload', () => {
  it('frees a model as soon as nobody uses it', async () => {
    const { pool, acquire, nextLoad, loaded } = setUp();
    const lease = await loaded('a');
    pool.unload('a');
    expect([lease.model.state, pool.status('a')]).toEqual([
      'loaded',
      expect.objectContaining({ state: 'unloading', requests: 1 }),
    ]);
    const again = acquire('a');
    (await nextLoad(2)).succeed();
    expect((await again).model).not.toBe(lease.model);
    lease.release();
    await settle();
    expect(lease.model.state).toBe('unloading');
  });
});

describe('close', () => {
  it('frees all, waits for those in use, and takes nobody in', async () => {
    const { pool, acquire, loaded } = setUp();
    const idle = await loaded('a');
    idle.release();
    const busy = await loaded('b');
    let closed = false;
    const closing = pool.close().then(() => (closed = true));
    await settle();
    idle.model.finishDispose();
    await settle();
    expect([idle.model.state, busy.model.state, closed]).toEqual(['unloaded', 'loaded', false]);
    await expect(acquire('b')).rejects.toMatchObject({ code: 'server_shutting_down' });
    busy.release();
    await settle();
    expect([busy.model.state, closed]).toEqual(['unloading', false]);
    busy.model.finishDispose();
    await closing;
    expect(busy.model.state).toBe('unloaded');
  });

  it('gives up loads, also those that have not begun', async () => {
    const { pool, acquire, loads, nextLoad } = setUp();
    const refused = ['a', 'b'].map((id) => expect(acquire(id)).rejects.toThrow());
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
