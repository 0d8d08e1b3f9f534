import { describe, expect, it, vi } from 'vitest';
import { FairTurns } from '../../../../src/engine/queue/fair-turns.ts';

const limits = { parallel: 1, queueLimit: 3, queueTimeoutMs: 60_000 };
const never = new AbortController().signal;
const of = (keyId: string) => ({ accountId: `account of ${keyId}`, keyId });

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
      turns.take(of('a'), never, a1?.work ?? fail),
      turns.take(of('b'), never, b1?.work ?? fail),
      turns.take(of('a'), never, a2?.work ?? fail),
      turns.take(of('a'), never, a3?.work ?? fail),
      turns.take(of('b'), never, b2?.work ?? fail),
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
    const first = turns.take(of('a'), never, held.work);
    const second = turns.take(of('a'), never, async () => 'second');
    await expect(turns.take(of('b'), never, async () => 'third')).rejects.toMatchObject({
      code: 'server_overloaded',
      retryAfterSeconds: 1,
    });
    held.end();
    expect(await Promise.all([first, second])).toEqual(['first', 'second']);
  });

  it('takes the newest place of the key that has most, for a key that has none', async () => {
    const turns = new FairTurns({ ...limits, queueLimit: 2 });
    const held = heldWork([], 'first');
    const first = turns.take(of('a'), never, held.work);
    const second = turns.take(of('a'), never, async () => 'second');
    const third = turns.take(of('a'), never, async () => 'third');
    const other = turns.take(of('b'), never, async () => 'other');
    await expect(third).rejects.toMatchObject({ code: 'server_overloaded', retryAfterSeconds: 1 });
    await expect(turns.take(of('a'), never, async () => 'fourth')).rejects.toMatchObject({
      code: 'server_overloaded',
    });
    held.end();
    expect(await Promise.all([first, second, other])).toEqual(['first', 'second', 'other']);
    expect(turns.waiting).toBe(0);
  });

  it('lets go of who leaves while it waits, and touches nobody else', async () => {
    const turns = new FairTurns(limits);
    const held = heldWork([], 'first');
    const first = turns.take(of('a'), never, held.work);
    const leaving = new AbortController();
    const second = turns.take(of('a'), leaving.signal, async () => 'second');
    const third = turns.take(of('a'), never, async () => 'third');
    leaving.abort(new Error('left'));
    await expect(second).rejects.toThrow('left');
    held.end();
    expect(await Promise.all([first, third])).toEqual(['first', 'third']);
    await expect(turns.take(of('a'), leaving.signal, async () => 'late')).rejects.toThrow('left');
  });

  it('goes on after work that fails', async () => {
    const turns = new FairTurns(limits);
    const failing = turns.take(of('a'), never, () => Promise.reject(new Error('broken')));
    const next = turns.take(of('a'), never, async () => 'next');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('next');
  });

  it('gives up for who waited too long', async () => {
    vi.useFakeTimers();
    try {
      const turns = new FairTurns(limits);
      const held = heldWork([], 'first');
      const first = turns.take(of('a'), never, held.work);
      const second = turns.take(of('b'), never, async () => 'second');
      const refused = expect(second).rejects.toMatchObject({ code: 'server_overloaded' });
      await vi.advanceTimersByTimeAsync(limits.queueTimeoutMs);
      await refused;
      held.end();
      expect(await first).toBe('first');
    } finally {
      vi.useRealTimers();
    }
  });

  it('lets lines of batches wait behind all others, without a place in the queue and without an end', async () => {
    const turns = new FairTurns({ ...limits, queueLimit: 1, queueTimeoutMs: 1 });
    const order: string[] = [];
    const held = heldWork(order, 'first');
    const first = turns.take(of('a'), never, held.work);
    const inBackground = { ...of('b'), isBackground: true, isPaced: true };
    const lines = ['line 1', 'line 2'].map((name) =>
      turns.take(inBackground, never, async () => order.push(name)),
    );
    const late = turns.take(of('c'), never, async () => order.push('late'));
    await expect(late).rejects.toMatchObject({ code: 'server_overloaded' });
    const awaited = turns.take(of('c'), never, async () => order.push('awaited'));
    held.end();
    await Promise.all([first, awaited, ...lines]);
    expect(order).toEqual(['first', 'awaited', 'line 1', 'line 2']);
  });

  it('lets a request that gives way to others take a place as they do', async () => {
    const turns = new FairTurns({ ...limits, queueLimit: 2 });
    const order: string[] = [];
    const held = heldWork(order, 'first');
    const first = turns.take(of('a'), never, held.work);
    const patient = { ...of('b'), isBackground: true };
    const last = turns.take(patient, never, async () => order.push('last'));
    const awaited = turns.take(of('c'), never, async () => order.push('awaited'));
    await expect(turns.take(patient, never, async () => order.push('none'))).rejects.toMatchObject({
      code: 'server_overloaded',
    });
    held.end();
    await Promise.all([first, last, awaited]);
    expect(order).toEqual(['first', 'awaited', 'last']);
  });

  it('keeps places free of one account, and has its work pass to another one between its parts', async () => {
    const turns = new FairTurns({ ...limits, parallel: 2, mostPerAccount: 1 });
    const order: string[] = [];
    const held = heldWork(order, 'a1');
    const first = turns.take(of('a'), never, held.work);
    const second = turns.take(of('a'), never, async () => order.push('a2'));
    await turns.take(of('b'), never, async () => order.push('b1'));
    expect(order).toEqual(['a1', 'b1']);
    held.end();
    await Promise.all([first, second]);

    const alone = new FairTurns(limits);
    order.length = 0;
    const others = Promise.withResolvers<void>();
    const inParts = alone.take(of('a'), never, async (charge, pass) => {
      order.push('part 1');
      await others.promise;
      charge(1);
      await pass();
      order.push('part 2');
      await pass();
    });
    await vi.waitFor(() => expect(order).toEqual(['part 1']));
    const later = [
      alone.take(of('a'), never, async () => order.push('a2')),
      alone.take(of('b'), never, async () => order.push('b1')),
    ];
    others.resolve();
    await Promise.all([inParts, ...later]);
    expect(order).toEqual(['part 1', 'b1', 'part 2', 'a2']);
  });

  it('lets go of work that leaves while it has passed', async () => {
    const turns = new FairTurns(limits);
    const leaving = new AbortController();
    const begun = Promise.withResolvers<void>();
    const order: string[] = [];
    const held = heldWork(order, 'b1');
    const first = turns.take(of('a'), leaving.signal, async (charge, pass) => {
      await begun.promise;
      charge(1);
      await pass();
    });
    const second = turns.take(of('b'), never, held.work);
    begun.resolve();
    await vi.waitFor(() => expect(order).toEqual(['b1']));
    leaving.abort(new Error('left'));
    await expect(first).rejects.toThrow('left');
    held.end();
    expect(await second).toBe('b1');
    expect([turns.running, turns.waiting]).toEqual([0, 0]);
    expect(await turns.take(of('a'), never, async () => 'next')).toBe('next');
  });
});

const fail = async (): Promise<string> => {
  throw new Error('unreachable');
};
