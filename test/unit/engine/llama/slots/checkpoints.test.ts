import { describe, expect, it } from 'vitest';
import { CacheMemory } from '../../../../../src/engine/llama/caches/cache-memory.ts';
import { checkpointPlaces } from '../../../../../src/engine/llama/slots/checkpoint-places.ts';
import { Checkpoints } from '../../../../../src/engine/llama/slots/checkpoints.ts';

const checkpoint = (length: number) => ({ length, state: new Uint8Array(100) });
const lengthsOf = (checkpoints: Checkpoints) => checkpoints.list().map(({ length }) => length);

describe('places of checkpoints', () => {
  it('are before and after the last message, and then at borders that are far enough apart', () => {
    const borders = [0, 300, 310, 600, 610, 900, 905, 990];
    expect(checkpointPlaces(1000, borders, 0)).toEqual([310, 610, 905, 990]);
  });

  it('are none in what is computed already', () => {
    expect(checkpointPlaces(1000, [300, 600, 900, 990], 950)).toEqual([990]);
  });

  it('stand near the end and in between where there are no borders', () => {
    const places = checkpointPlaces(5000, [], 0);
    expect(places.at(-1)).toBe(4992);
    expect(places.length).toBeGreaterThan(4);
    expect(places.length).toBeLessThan(12);
  });
});

describe('checkpoints of a slot', () => {
  it('are found by the tokens before a place, and forgotten with what is cut', () => {
    const checkpoints = new Checkpoints(new CacheMemory(10_000));
    for (const length of [300, 100, 200]) checkpoints.add(checkpoint(length));
    expect(checkpoints.before(250)?.length).toBe(200);
    expect(checkpoints.before(99)).toBeUndefined();
    checkpoints.truncate(250);
    expect(lengthsOf(checkpoints)).toEqual([100, 200]);
  });

  it('are thinned out where they are dense, and the last one stays', () => {
    const checkpoints = new Checkpoints(new CacheMemory(10_000));
    for (let length = 1000; length <= 16_000; length += 1000) checkpoints.add(checkpoint(length));
    checkpoints.add(checkpoint(16_010));
    expect(lengthsOf(checkpoints)).toHaveLength(16);
    expect(lengthsOf(checkpoints).at(-1)).toBe(16_010);
  });

  it('leave with the memory that they share: the least recently used first', () => {
    const memory = new CacheMemory(250);
    const [one, other] = [new Checkpoints(memory), new Checkpoints(memory)];
    one.add(checkpoint(10));
    other.add(checkpoint(20));
    expect(one.before(15)?.length).toBe(10);
    other.add(checkpoint(30));
    expect([lengthsOf(one), lengthsOf(other)]).toEqual([[10], [30]]);
    expect(memory.usedBytes).toBe(200);
  });
});
