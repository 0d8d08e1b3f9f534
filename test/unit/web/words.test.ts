import { expect, it } from 'vitest';
import { toAmount, toContext, toCount } from '../../../src/web/words/formats.ts';

it('tells counts in figures that are as exact as those beside them', () => {
  const counts = [0, 0.00731, 26, 999, 1000, 8640, 9000, 22_000, 85_700, 330_400, 33_000_000];
  const told = ['0', '0.00731', '26', '999', '1.0K', '8.6K', '9.0K', '22.0K', '85.7K', '330K', '33.0M'];
  expect(counts.map(toCount)).toEqual(told);
});

it('tells amounts that somebody set as they were set', () => {
  expect([5000, 1_250_000, 60].map(toAmount)).toEqual(['5K', '1.25M', '60']);
  expect([32_768, 10_000].map(toContext)).toEqual(['32K', '10K']);
});
