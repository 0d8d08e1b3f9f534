import { describe, expect, it } from 'vitest';
import {
  chooseDrafts,
  leastExpected,
  passesOf,
} from '../../../../../src/engine/llama/drafts/draft-planner.ts';
import { StepCosts } from '../../../../../src/engine/llama/drafts/step-costs.ts';

describe('passes', () => {
  it.each([
    ['one token of each sequence are one', [1, 1, 1], [3]],
    ['equally many tokens of each are one', [4, 4], [8]],
    ['what a sequence has more is another one', [1, 5, 1], [3, 4]],
  ])('%s', (_, lengths, passes) => {
    expect(passesOf(lengths.map((tokens, index) => ({ index, tokens })))).toEqual(passes);
  });

  it('are as many as there are gaps between ids, and one more', () => {
    expect(passesOf([0, 1, 3].map((index) => ({ index, tokens: 2 })))).toEqual([4, 2]);
  });
});

describe('drafts', () => {
  const sure = Array.from({ length: 15 }, (_, at) => 0.98 ** (at + 1));
  const unlikely = Array.from({ length: 15 }, (_, at) => 0.15 ** (at + 1));
  const candidate = (index: number, chances: readonly number[], room = 15) => ({
    index,
    tokens: 1,
    room,
    chances,
  });
  const costs = new StepCosts();

  it('are long where guesses are right, and none where they are not', () => {
    expect(chooseDrafts([candidate(0, sure)], costs)[0]).toBeGreaterThan(6);
    expect(chooseDrafts([candidate(0, unlikely)], costs)).toEqual([0]);
    expect(chooseDrafts([candidate(0, [])], costs)).toEqual([0]);
  });

  it('have no more tokens than there is room for', () => {
    expect(chooseDrafts([candidate(0, sure.slice(0, 3), 3)], costs)).toEqual([3]);
  });

  it('are filled up where that saves a pass', () => {
    const [first, second] = chooseDrafts(
      [candidate(0, sure.slice(0, 5)), candidate(1, sure.slice(0, 3))],
      costs,
    );
    expect(first).toBeGreaterThan(0);
    expect(second).toBe(first);
  });

  it('get shorter as steps of many tokens turn out to be dear', () => {
    const dear = new StepCosts();
    for (let step = 0; step < 200; step++) {
      dear.observe([1], 10);
      for (const tokens of [2, 3, 4, 6, 8, 12, 16]) dear.observe([tokens], tokens * 10);
    }
    expect(
      chooseDrafts(
        [
          candidate(
            0,
            sure.map((chance) => chance ** 6),
          ),
        ],
        dear,
      ),
    ).toEqual([0]);
  });

  it('end after few steps on a machine where each further token costs as much as the first', () => {
    const linear = new StepCosts();
    const isGain = (length: number) => linear.costOf([1 + length]) < 1 + length * 0.7;
    for (let step = 0; step < 20; step++) linear.observe([1], 10);
    expect([1, 3, 7, 15].filter(isGain)).toHaveLength(4);
    for (const tokens of [16, 8, 4, 16, 8, 4]) linear.observe([tokens], tokens * 10);
    expect([1, 3, 7, 15].filter(isGain)).toEqual([]);
    expect(linear.costOf([1])).toBe(1);
  });

  it('are not taken for dear where the whole machine became slower', () => {
    const slower = new StepCosts();
    for (let step = 0; step < 40; step++)
      for (const tokens of [1, 8]) slower.observe([tokens], tokens === 1 ? 10 : 19);
    for (let step = 0; step < 40; step++)
      for (const tokens of [1, 8]) slower.observe([tokens], tokens === 1 ? 20 : 38);
    expect(slower.costOf([8])).toBeLessThan(2.05);
    expect(slower.costOf([8])).toBeGreaterThan(1.85);
  });

  it('need more right tokens where further tokens are dearer, and are never worth it where nothing is gained', () => {
    const costing = (each: number) => ({
      costOf: (passes: readonly number[]) =>
        passes.reduce((total, tokens) => total + 1 + each * (tokens - 1), 0),
    });
    const cheap = leastExpected(1, 15, costing(0.1));
    expect(cheap).toBeLessThan(1);
    expect(leastExpected(1, 15, costing(0.5))).toBeGreaterThan(2 * cheap);
    expect(leastExpected(4, 15, costing(1))).toBe(Number.POSITIVE_INFINITY);
  });
});
