import { expect, it } from 'vitest';
import { saysAll } from '../../../../../scripts/demo/sight/says-all.ts';

it.each([
  ['There are 2 red circles.', ['2 red circles'], true],
  ['There are 12 red circles.', ['2 red circles'], false],
  ['There are 2 red circles.', ['2', 'circle'], true],
  ['It is the letter B.', ['letter B'], true],
  ['It is the letter Bb.', ['letter B'], false],
  ['No, it is a house.', ['no,', 'house'], true],
  ['Yes, it is a greenhouse.', ['yes', 'house'], false],
])('%s', (answer, texts, expected) => {
  expect(saysAll(answer, texts)).toBe(expected);
});
