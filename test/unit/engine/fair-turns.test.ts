import { describe, expect, it, vi } from 'vitest';
import { FairTurns } from '../../../src/engine/fair-turns.ts';

const limits = { parallel: 1, queueLimit: 3, queueTimeoutMs: 60_000 };
const never = new AbortController().signal;

/** Work that lasts until it is told to end, and says when it began. */
function heldWork(order: string[], name: string, seconds = 1) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = async (charge: (seconds: number) => void) => {
    order.push(name);
    await promise;
    charge(seconds);
    return name;
  };
  return { work, end: () => resolve() };
}

describe('FairTurns', () => {
  it('runs no more than its number, and lets the key go first that was served least', async () => {
    const turns = new FairTurns({ ...limits, parallel: 2 });
    const order: string[] = [];
    const [a1, b1, a2, a3, b2] = ['a1', 'b1', 'a2', 'a3', 'b2'].map((name) =>
      heldWork(order, name, name.startsWith('a') ? 100 : 1),
    );
    const all = [
      turns.take('a', never, a1?.work ?? fail),
      turns.take('b', never, b1?.work ?? fail),
      turns.take('a', never, a2?.work ?? fail),
      turns.take('a', never, a3?.work ?? fail),
      turns.take('b', never, b2?.work ?? fail),
    ];
    expect(order).toEqual([]);
    await vi.waitFor(() => expect(order).toEqual(['a1', 'b1']));
    a1?.end();
    await vi.waitFor(() => expect(order).toEqual(['a1', 'b1', 'b2']));
    for (const held of [b1, b2, a2, a3]) held?.end();
    expect(await Promise.all(all)).toEqual(['a1', 'b1', 'a2', 'a3', 'b2']);
    expect(order).toEqual(['a1', 'b1', 'b2', 'a2', 'a3']);
  });

  it('refuses whoever comes when the queue is full, with a time to come again', async () => {
    const turns = new FairTurns({ ...limits, queueLimit: 1 });
    const held = heldWork([], 'first');
    const first = turns.take('a', never, held.work);
    const second = turns.take('a', never, async () => 'second');
    await expect(turns.take('b', never, async () => 'third')).rejects.toMatchObject({
      code: 'server_overloaded',
      retryAfterSeconds: 1,
    });
    held.end();
    expect(await Promise.all([first, second])).toEqual(['first', 'second']);
  });

  it('lets go of who leaves while it waits, and touches nobody else', async () => {
    const turns = new FairTurns(limits);
    const held = heldWork([], 'first');
    const first = turns.take('a', never, held.work);
    const leaving = new AbortController();
    const second = turns.take('a', leaving.signal, async () => 'second');
    const third = turns.take('a', never, async () => 'third');
    leaving.abort(new Error('left'));
    await expect(second).rejects.toThrow('left');
    held.end();
    expect(await Promise.all([first, third])).toEqual(['first', 'third']);
    await expect(turns.take('a', leaving.signal, async () => 'late')).rejects.toThrow('left');
  });

  it('goes on after work that fails', async () => {
    const turns = new FairTurns(limits);
    const failing = turns.take('a', never, () => Promise.reject(new Error('broken')));
    const next = turns.take('a', never, async () => 'next');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('next');
  });

  it('gives up for who waited too long', async () => {
    vi.useFakeTimers();
    try {
      const turns = new FairTurns(limits);
      const held = heldWork([], 'first');
      const first = turns.take('a', never, held.work);
      const second = turns.take('b', never, async () => 'second');
      const refused = expect(second).rejects.toMatchObject({ code: 'server_overloaded' });
      await vi.advanceTimersByTimeAsync(limits.queueTimeoutMs);
      await refused;
      held.end();
      expect(await first).toBe('first');
    } finally {
      vi.useRealTimers();
    }
  });
});

const fail = async (): Promise<string> => {
  throw new Error('unreachable');
};
