import { describe, expect, it } from 'vitest';
import { parseDurationMs } from '../../../../src/config/values/duration.ts';
import { parseSizeBytes } from '../../../../src/config/values/size.ts';

describe('parseDurationMs', () => {
  it.each([
    ['0', 0],
    ['500ms', 500],
    ['30s', 30_000],
    ['1.5h', 5_400_000],
    ['15 m', 900_000],
    ['90d', 7_776_000_000],
    ['2w', 1_209_600_000],
    ['-1', Infinity],
    [-1, Infinity],
  ])('reads %s', (text, durationMs) => {
    expect(parseDurationMs(text)).toBe(durationMs);
  });

  it.each(['', '30', 30, '-2', '-1s', '1 year', 's', '1e3s', 'constructor', '9999999d'])(
    'refuses %s',
    (text) => {
      expect(() => parseDurationMs(text)).toThrow(RangeError);
    },
  );
});

describe('parseSizeBytes', () => {
  it.each([
    [1_048_576, 1_048_576],
    ['1000000', 1_000_000],
    ['12B', 12],
    ['4MiB', 4_194_304],
    ['25 MB', 25_000_000],
    ['1.5kib', 1536],
    ['8GiB', 8_589_934_592],
  ])('reads %s', (text, bytes) => {
    expect(parseSizeBytes(text)).toBe(bytes);
  });

  it.each(['', '0', -1, '4 apples', 'MiB', '99999999TiB', 'toString'])('refuses %s', (text) => {
    expect(() => parseSizeBytes(text)).toThrow(RangeError);
  });
});
