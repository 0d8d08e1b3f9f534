import { fc } from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../../../src/engine/queue/fair-queue.ts';

/** Takes the next item, serves it this number of tokens and retires it. */
function serve(
  queue: FairQueue<string>,
  keyOf: (item: string) => string,
  tokens: number,
): string | undefined {
  const item = queue.pop();
  if (item === undefined) return undefined;
  queue.charge(keyOf(item), tokens);
  queue.retire(keyOf(item));
  return item;
}

const firstLetter = (item: string) => item.slice(0, 1);

describe('FairQueue', () => {
  it('is first in, first out within a key', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3']) queue.push('a', item);
    expect([queue.pop(), queue.pop(), queue.pop(), queue.pop()]).toEqual(['a1', 'a2', 'a3', undefined]);
  });

  it('lets keys take turns, however much one of them asks', () => {
    const queue = new FairQueue<string>();
    for (let index = 0; index < 100; index++) queue.push('a', `a${index}`);
    queue.push('b', 'b0');
    queue.push('b', 'b1');
    const order = Array.from({ length: 5 }, () => serve(queue, firstLetter, 10));
    expect(order).toEqual(['a0', 'b0', 'a1', 'b1', 'a2']);
  });

  it('counts tokens, not requests', () => {
    const queue = new FairQueue<string>();
    for (let index = 0; index < 10; index++) {
      queue.push('a', `a${index}`);
      queue.push('b', `b${index}`);
    }
    const served = { a: 0, b: 0 };
    for (let turn = 0; turn < 8; turn++) {
      const next = queue.pop() ?? '';
      if (next.startsWith('a')) served.a += 300;
      else served.b += 100;
      queue.charge(firstLetter(next), next.startsWith('a') ? 300 : 100);
      queue.retire(firstLetter(next));
    }
    expect(Math.abs(served.a - served.b)).toBeLessThanOrEqual(300);
  });

  it('starves nobody: of keys that keep waiting, none falls behind by more than one request', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 2, maxLength: 5 }), (costs) => {
        const queue = new FairQueue<number>();
        const served = costs.map(() => 0);
        for (const key of costs.keys()) for (let index = 0; index < 60; index++) queue.push(`${key}`, key);
        for (let turn = 0; turn < 50; turn++) {
          const key = queue.pop() ?? -1;
          const cost = costs[key] ?? 0;
          served[key] = (served[key] ?? 0) + cost;
          queue.charge(`${key}`, cost);
          queue.retire(`${key}`);
        }
        expect(Math.max(...served) - Math.min(...served)).toBeLessThanOrEqual(Math.max(...costs));
      }),
    );
  });

  it('lets a key save up no turns while it is away', () => {
    const queue = new FairQueue<string>();
    for (let index = 0; index < 20; index++) queue.push('a', `a${index}`);
    for (let turn = 0; turn < 10; turn++) serve(queue, firstLetter, 100);
    for (let index = 0; index < 5; index++) queue.push('b', `b${index}`);
    const order = Array.from({ length: 6 }, () => serve(queue, firstLetter, 100));
    expect(order.filter((item) => item?.startsWith('a')).length).toBe(3);
  });

  it('lets a key save up no turns while it asks for little', () => {
    const queue = new FairQueue<string>();
    queue.push('b', 'b-long');
    queue.pop();
    for (let turn = 0; turn < 10; turn++) {
      queue.push('a', `a${turn}`);
      serve(queue, firstLetter, 1000);
    }
    queue.charge('b', 10);
    for (let index = 0; index < 4; index++) {
      queue.push('b', `b${index}`);
      queue.push('a', `a-late${index}`);
    }
    const order = Array.from({ length: 4 }, () => serve(queue, firstLetter, 1000)?.slice(0, 1));
    expect(order.filter((key) => key === 'a').length).toBeGreaterThanOrEqual(1);
  });

  it('takes a waiting item out, once', () => {
    const queue = new FairQueue<string>();
    queue.push('a', 'a0');
    queue.push('b', 'b0');
    expect([queue.remove('a0'), queue.remove('a0'), queue.size]).toEqual([true, false, 1]);
    expect([queue.pop(), queue.pop()]).toEqual(['b0', undefined]);
  });

  it('does not take out an item that was served already', () => {
    const queue = new FairQueue<string>();
    queue.push('a', 'a0');
    queue.pop();
    expect(queue.remove('a0')).toBe(false);
  });

  it('forgets the past once nobody is active', () => {
    const queue = new FairQueue<string>();
    queue.push('a', 'a0');
    serve(queue, firstLetter, 1000);
    queue.push('a', 'a1');
    queue.push('b', 'b0');
    expect(queue.pop()).toBe('a1');
  });
});
