import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeviceFullError } from '../../../../src/engine/pool/loadable.ts';
import { quietMs } from '../../../../src/engine/pool/pool-entry.ts';
import { never, openFakePool, ram } from '../../../support/fakes/fake-pool.ts';

const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('room', () => {
  const sizes = { a: 40, b: 40, c: 40, whole: 100, huge: 101 };

  it('is made by the idle model that was not used for longest', async () => {
    const { pool, acquire, nextLoad, loaded } = openFakePool({ sizes });
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

  it('is made for a batch only by what nobody has used for a while', async () => {
    const { pool, acquire, nextLoad, loaded } = openFakePool({ sizes, keepAliveMs: undefined });
    const acquireInBackground = (id: string) =>
      acquire(id, { ...never, caller: { accountId: 'batches', keyId: 'batch', isBackground: true } });
    const [a, b] = [await loaded('a'), await loaded('b')];
    a.release();
    const inUse = { code: 'server_overloaded', message: expect.stringMatching(/others are used/) };
    await expect(acquireInBackground('c')).rejects.toMatchObject(inUse);
    await vi.advanceTimersByTimeAsync(quietMs);
    const c = acquireInBackground('c');
    await settle();
    expect([a.model.state, b.model.state]).toEqual(['unloading', 'loaded']);
    a.model.finishDispose();
    (await nextLoad(3)).succeed();
    expect((await c).model.id).toBe('c');
    // It is used all the same, though nobody waits for it.
    expect(pool.status('c').lastUsedAtMs).toBeGreaterThan(Date.now() - 1000);
    expect(pool.status('c').lastAwaitedAtMs).toBeUndefined();
  });

  it('is made by as many models as it takes', async () => {
    const { acquire, nextLoad, loaded } = openFakePool({ sizes });
    const leases = [await loaded('a'), await loaded('b')];
    for (const lease of leases) lease.release();
    const whole = acquire('whole');
    await settle();
    expect(leases.map(({ model }) => model.state)).toEqual(['unloading', 'unloading']);
    for (const { model } of leases) model.finishDispose();
    (await nextLoad(3)).succeed();
    expect((await whole).model.id).toBe('whole');
  });

  it('is never made by a model in use, but it gets nobody new', async () => {
    const { pool, acquire, loads, nextLoad, loaded } = openFakePool({ sizes });
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

  it('is reserved before the next load begins, where models load at the same time', async () => {
    const { pool, acquire, loads, nextLoad } = openFakePool({ sizes, besideOthers: true });
    const failing = acquire('a').catch((error: unknown) => error);
    const b = acquire('b');
    const c = acquire('c');
    await settle();
    // Two of the three fit together, and none of them is there yet that could make room.
    expect(loads.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(pool.memory.used).toEqual(ram(80));
    loads[0]?.fail(new Error('broken'));
    expect(await failing).toMatchObject({ code: 'model_load_failed' });
    (await nextLoad(3)).succeed();
    expect((await c).model.id).toBe('c');
    loads[1]?.succeed();
    expect((await b).model.id).toBe('b');
  });

  it('is refused to a model that can never fit, with the numbers and what to do', async () => {
    const { acquire, loads, loaded } = openFakePool({
      sizes: { ...sizes, huge: 3 * 2 ** 30 },
      budget: ram(2 ** 30),
    });
    const a = await loaded('a');
    a.release();
    await expect(acquire('huge')).rejects.toMatchObject({
      code: 'model_load_failed',
      message: "The model 'huge' needs about 3.2 GB, but models may take 1.1 GB here. Make it smaller.",
    });
    expect([a.model.state, loads.length]).toEqual(['loaded', 1]);
  });

  it('is not made for a model that nobody waits for any more', async () => {
    const { pool, acquire, loads, loaded } = openFakePool({ sizes });
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
    const { acquire, nextLoad, loaded } = openFakePool({
      sizes,
      loadTimeoutMs: 1000,
      keepAliveMs: undefined,
    });
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
    const { acquire, nextLoad, loaded } = openFakePool();
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
    const { acquire, nextLoad } = openFakePool({ queueLimit: 2 });
    const waiting = [acquire('a'), acquire('a')];
    await expect(acquire('a')).rejects.toMatchObject({ code: 'server_overloaded', retryAfterSeconds: 2 });
    (await nextLoad(1)).succeed();
    await Promise.all(waiting);
    expect((await acquire('a')).model.id).toBe('a');
  });

  it('gives way from the key that has most', async () => {
    const { acquire, nextLoad } = openFakePool({ queueLimit: 2 });
    const busy = { accountId: 'busy', keyId: 'busy' };
    const signal = new AbortController().signal;
    const first = acquire('a', { caller: busy, signal });
    const second = acquire('a', { caller: busy, signal });
    const other = acquire('a', { caller: { accountId: 'quiet', keyId: 'quiet' }, signal });
    await expect(second).rejects.toMatchObject({ code: 'server_overloaded', retryAfterSeconds: 2 });
    (await nextLoad(1)).succeed();
    expect((await Promise.all([first, other])).map(({ model }) => model.id)).toEqual(['a', 'a']);
  });

  it('is told to take as long as the load took before, and those before it', async () => {
    const { acquire, nextLoad } = openFakePool({ loadTimeoutMs: 4000, keepAliveMs: 0 });
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
    const { acquire, loaded } = openFakePool({ keepAliveMs: undefined });
    const lease = await loaded('a');
    lease.release();
    (await acquire('a', { ...never, keepAliveMs: 0 })).release();
    expect(lease.model.state).toBe('unloading');
  });

  it('holds until the next use, which goes by the setting again', async () => {
    const { acquire, loaded } = openFakePool({ keepAliveMs: 1000 });
    const lease = await loaded('a');
    lease.release();
    (await acquire('a', { ...never, keepAliveMs: Number.POSITIVE_INFINITY })).release();
    await vi.advanceTimersByTimeAsync(1e6);
    expect(lease.model.state).toBe('loaded');
    (await acquire('a')).release();
    await vi.advanceTimersByTimeAsync(1000);
    expect(lease.model.state).toBe('unloading');
  });
});

describe('unload', () => {
  it('frees a model as soon as nobody uses it', async () => {
    const { pool, acquire, nextLoad, loaded } = openFakePool();
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
