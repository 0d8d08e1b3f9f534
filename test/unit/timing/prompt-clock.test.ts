import { describe, expect, it } from 'vitest';
import { PromptClock } from '../../../src/timing/prompt-clock.ts';
import { fc } from '../../support/properties.ts';

describe('how long the rest of a prompt takes', () => {
  it('is exact where a token costs a fixed part and a part per token before it, wherever it is told', () => {
    fc.assert(
      fc.property(
        fc.record({
          cache: fc.nat(50_000),
          steps: fc.array(fc.integer({ min: 1, max: 4096 }), { minLength: 3, maxLength: 40 }),
          fixed: fc.double({ min: 0.01, max: 10, noNaN: true }),
          growing: fc.double({ min: 0, max: 0.001, noNaN: true }),
        }),
        ({ cache, steps, fixed, growing }) => {
          const total = cache + steps.reduce((sum, step) => sum + step);
          const msAt = (tokens: number) => fixed * (tokens - cache) + growing * (tokens - cache) ** 2;
          const clock = new PromptClock();
          let processed = cache;
          expect(clock.leftMs({ total, cache, processed, time_ms: 0 })).toBe(0);
          steps.forEach((step, told) => {
            processed += step;
            const leftMs = clock.leftMs({ total, cache, processed, time_ms: msAt(processed) });
            expect(leftMs).toBeGreaterThanOrEqual(0);
            if (told > 0)
              expect(Math.abs(leftMs - (msAt(total) - msAt(processed)))).toBeLessThan(msAt(total) / 100);
          });
        },
      ),
    );
  });

  it.each([
    ['one progress alone', [[1000, 500]], 1500],
    ['a prompt that becomes quicker', [[1000, 900], [2000, 1000], [3000, 1100]], 440],
    ['a second prompt of the same answer', [[3000, 9000], [1000, 100]], 300],
  ])('is in the end told by %s', (_name, told, leftMs) => {
    const clock = new PromptClock();
    const left = told.map(([processed = 0, ms = 0]) =>
      clock.leftMs({ total: 4000, cache: 0, processed, time_ms: ms }),
    );
    expect(Math.round((left.at(-1) ?? 0) / 10) * 10).toBe(leftMs);
  }); // prettier-ignore
});
