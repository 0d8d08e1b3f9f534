import { expect, it } from 'vitest';
import { toParametersNumber } from '../../../../src/api/models/convert.ts';

it.each([
  [0, 'unknown'],
  [512, '512'],
  [999, '999'],
  [1_000, '1.00K'],
  [262_144, '262K'],
  [135_000_000, '135M'],
  [595_776_512, '596M'],
  [999_900_000, '1.00B'],
  [8_030_261_248, '8.03B'],
  [70_553_706_496, '70.6B'],
  [1_026_000_000_000, '1.03T'],
])('%d parameters are %s', (count, text) => {
  expect(toParametersNumber(count)).toBe(text);
});
