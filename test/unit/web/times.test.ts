import { expect, it } from 'vitest';
import { toMoment } from '../../../src/web/words/times.ts';

it('tells a time that is near by its day', () => {
  const nowMs = new Date(2026, 10, 28, 20, 15).getTime();
  const tell = (...[month, day, hour, minute = 0]: [number, number, number, number?]) =>
    toMoment(new Date(2026, month, day, hour, minute), nowMs);
  expect(tell(10, 28, 22, 30)).toMatch(/^today at (?:22:30|10:30)/);
  expect(tell(10, 29, 0)).toBe('tonight at midnight');
  expect(tell(11, 1, 9)).toMatch(/^on Tuesday at 0?9:00/);
  expect(tell(11, 28, 0)).toMatch(/^on December 28 at (?:00:00|12:00)/);
  // The time to come has passed since.
  expect(tell(10, 27, 0)).toMatch(/^on November 27 at (?:00:00|12:00)/);
});
