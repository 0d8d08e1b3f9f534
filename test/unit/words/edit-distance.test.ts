import { expect, it } from 'vitest';
import { editDistance } from '../../../src/words/edit-distance.ts';

it.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
  ['paralel', 'parallel', 1],
  ['preolad', 'preload', 1],
  ['same', 'same', 0],
])('counts the edits from "%s" to "%s"', (from, to, distance) => {
  expect(editDistance(from, to)).toBe(distance);
  expect(editDistance(to, from)).toBe(distance);
});
