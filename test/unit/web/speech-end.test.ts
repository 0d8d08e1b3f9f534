import { describe, expect, it } from 'vitest';
import { SpeechEnd } from '../../../src/web/voice/speech-end.ts';

/** When the levels, one for each 50 ms, were taken for the end of speech, in seconds; undefined: never. */
function endOf(levels: readonly number[]): number | undefined {
  const end = new SpeechEnd();
  const at = levels.findIndex((level) => end.take(level, 50));
  return at < 0 ? undefined : (at + 1) / 20;
}

const seconds = (count: number, level: number) => Array.from({ length: count * 20 }, () => level);

describe('the end of what somebody says', () => {
  it('comes 1.2 seconds after the last word, and not in a pause', () => {
    expect(endOf([...seconds(1, 0), ...seconds(2, 0.1), ...seconds(3, 0)])).toBeCloseTo(4.2);
    expect(endOf([...seconds(1, 0.1), ...seconds(0.8, 0), ...seconds(1, 0.1), ...seconds(3, 0)])).toBeCloseTo(
      4,
    );
  });

  it('comes in a noisy room too', () => {
    expect(endOf([...seconds(30, 0.02), ...seconds(2, 0.2), ...seconds(3, 0.02)])).toBeCloseTo(33.2);
  });

  it('does not come after clicks, or in silence', () => {
    expect(endOf(seconds(20, 0.001))).toBeUndefined();
    expect(endOf([...seconds(2, 0), 0.5, 0.5, ...seconds(2, 0), 0.5, 0.5, ...seconds(5, 0)])).toBeUndefined();
  });
});
