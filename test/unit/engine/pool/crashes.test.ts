import { expect, it } from 'vitest';
import { Crashes } from '../../../../src/engine/pool/model-loader.ts';

it('counts crashes in a row that come soon after the load, by model', () => {
  const crashes = new Crashes();
  expect([crashes.note('a', 0), crashes.note('a', 10), crashes.note('b', 0)]).toEqual([false, false, false]);
  expect(crashes.note('a', 20)).toBe(true);
  expect(crashes.note('a', 0)).toBe(false);
  expect(crashes.note('a', 0)).toBe(false);
  // It has worked for a while.
  expect(crashes.note('a', 60_000)).toBe(false);
  expect(crashes.note('a', 0)).toBe(false);
});
