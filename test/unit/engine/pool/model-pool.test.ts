import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LoadRefusedError } from '../../../../src/engine/pool/loadable.ts';
import { openFakePool } from '../../../support/fakes/fake-pool.ts';

const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('loading', () => {
  it('loads a model once, however many ask for it', async () => {
    const { pool, acquire, loads, nextLoad } = openFakePool();
    const acquired = Promise.all([1, 2, 3].map(() => acquire('a')));
    expect(pool.state('a')).toBe('loading');
    const model = (await nextLoad(1)).succeed();
    for (const lease of await acquired) expect(lease.model).toBe(model);
    expect((await acquire('a')).model).toBe(model);
    expect(loads).toHaveLength(1);
    expect(pool.state('a')).toBe('loaded');
  });

  it('loads different models one after the other', async () => {
    const { acquire, loads, nextLoad } = openFakePool();
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
    const { acquire, nextLoad } = openFakePool();
    const first = expect(acquire('a')).rejects.toThrow('cannot be loaded');
    const second = acquire('b');
    (await nextLoad(1)).fail(new Error('broken'));
    (await nextLoad(2)).succeed();
    expect((await second).model.id).toBe('b');
    await first;
  });

  it('lets go after a while of those who wait, and goes on loading', async () => {
    const { pool, acquire, loads, nextLoad } = openFakePool();
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
    const { acquire, nextLoad } = openFakePool();
    const caller = new AbortController();
    const left = expect(acquire('a', { signal: caller.signal })).rejects.toBe('gone');
    const stays = acquire('a');
    caller.abort('gone');
    await left;
    (await nextLoad(1)).succeed();
    expect((await stays).model.id).toBe('a');
  });

  it('does not begin for those who had aborted before', async () => {
    const { pool, acquire, loads } = openFakePool();
    await expect(acquire('a', { signal: AbortSignal.abort('gone') })).rejects.toBe('gone');
    await settle();
    expect([loads.length, pool.state('a')]).toEqual([0, 'available']);
  });
});

describe('a model that cannot be loaded', () => {
  it('is not tried again before it has cooled down', async () => {
    const { pool, acquire, loads, nextLoad } = openFakePool();
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

  it('tells of a refusal until the time that it names, and then tries again', async () => {
    const { acquire, loads, nextLoad } = openFakePool();
    const refusal = (retryAfterSeconds: number) => ({ code: 'model_load_failed', retryAfterSeconds });
    const first = expect(acquire('a')).rejects.toMatchObject(refusal(300));
    (await nextLoad(1)).fail(new LoadRefusedError('the check took too long', Date.now() + 300_000));
    await first;
    await vi.advanceTimersByTimeAsync(299_000);
    await expect(acquire('a')).rejects.toMatchObject(refusal(1));
    expect(loads).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    const second = acquire('a');
    (await nextLoad(2)).succeed();
    expect((await second).model.id).toBe('a');
  });

  it('does not tell the outside where the file lies', async () => {
    const { acquire, nextLoad } = openFakePool();
    const message = "The model 'a' cannot be loaded: no such file: 'model.gguf'.";
    const refused = expect(acquire('a')).rejects.toMatchObject({ message });
    (await nextLoad(1)).fail(new Error("no such file: '/home/somebody/secret/model.gguf'\n  at line 3"));
    await refused;
  });
});

describe('keeping models', () => {
  it('frees a model that was idle for long enough', async () => {
    const { pool, loaded } = openFakePool();
    const lease = await loaded('a');
    lease.release();
    await vi.advanceTimersByTimeAsync(999);
    expect(lease.model.state).toBe('loaded');
    await vi.advanceTimersByTimeAsync(1);
    expect(lease.model.state).toBe('unloading');
    expect(pool.state('a')).toBe('available');
  });

  it('never frees a model in use', async () => {
    const { acquire, loaded } = openFakePool();
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
    const { acquire, loaded } = openFakePool();
    const lease = await loaded('a');
    lease.release();
    await vi.advanceTimersByTimeAsync(900);
    (await acquire('a')).release();
    await vi.advanceTimersByTimeAsync(900);
    expect(lease.model.state).toBe('loaded');
  });

  it('frees a model that nobody waits for any more', async () => {
    const { acquire, nextLoad } = openFakePool({ loadTimeoutMs: 10 });
    const refused = expect(acquire('a')).rejects.toMatchObject({ code: 'model_loading' });
    const load = await nextLoad(1);
    await vi.advanceTimersByTimeAsync(10);
    await refused;
    const model = load.succeed();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(model.state).toBe('unloading');
  });

  it('keeps a model for who was told to come back, and no longer than wanted after that', async () => {
    const { acquire, nextLoad } = openFakePool({ keepAliveMs: 0 });
    const refused = expect(acquire('a')).rejects.toMatchObject({ retryAfterSeconds: 60 });
    const load = await nextLoad(1);
    await vi.advanceTimersByTimeAsync(60_000);
    await refused;
    const model = load.succeed();
    await vi.advanceTimersByTimeAsync(60_000);
    const lease = await acquire('a');
    expect(lease.model).toBe(model);
    lease.release();
    expect(model.state).toBe('unloading');
  });

  it.each([
    ['for ever', undefined],
    ['for longer than timers run', 2 ** 40],
  ])('keeps models %s where that is wanted', async (_how, keepAliveMs) => {
    const { loaded } = openFakePool({ keepAliveMs });
    const lease = await loaded('a');
    lease.release();
    await vi.advanceTimersByTimeAsync(24 * 3_600_000);
    expect(lease.model.state).toBe('loaded');
  });

  it('loads a model anew for a request that comes while it is being freed', async () => {
    const { acquire, nextLoad, loaded } = openFakePool();
    const lease = await loaded('a');
    lease.release();
    await vi.advanceTimersByTimeAsync(1000);
    const again = acquire('a');
    const newModel = (await nextLoad(2)).succeed();
    expect((await again).model).toBe(newModel);
    expect(lease.model.state).toBe('unloading');
  });
});

describe('close', () => {
  it('frees all, waits for those in use, and takes nobody in', async () => {
    const { pool, acquire, loaded } = openFakePool();
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
    const { pool, acquire, loads, nextLoad } = openFakePool();
    const refused = ['a', 'b'].map((id) => expect(acquire(id)).rejects.toThrow());
    const load = await nextLoad(1);
    await pool.close();
    await Promise.all(refused);
    expect([load.signal.aborted, loads.length]).toEqual([true, 1]);
  });

  it('waits for a model that was being freed already', async () => {
    const { pool, loaded } = openFakePool();
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
