import { describe, expect, it } from 'vitest';
import { linesUpTo } from '../../../src/web/usage/scale-lines.ts';

describe('the lines of a scale', () => {
  it.each([
    [11, true, [0, 5, 10, 15]],
    [2, true, [0, 1, 2]],
    [1_900_000, true, [0, 500_000, 1_000_000, 1_500_000, 2_000_000]],
    [0.7, false, [0, 0.2, 0.4, 0.6, 0.8]],
    [0, true, [0, 1]],
  ])('go up to %d or above it', (max, isCounted, lines) => {
    expect(linesUpTo(max, isCounted).map((line) => Number(line.toFixed(6)))).toEqual(lines);
  });

  it('stay where they are on the scale that ends with the last one', () => {
    for (let max = 1; max < 3000; max += 7) {
      const lines = linesUpTo(max, true);
      expect(lines.at(-1)).toBeGreaterThanOrEqual(max);
      expect(linesUpTo(lines.at(-1) ?? 0, true)).toEqual(lines);
    }
  });
});
