import { describe, expect, it } from 'vitest';
import { Resampler } from '../../../../src/engine/audio/built-in/resampler.ts';
import { levelOf, tone } from '../../../support/audio/wav.ts';

const outputRateHz = 16_000;

/** `input` at the output's rate, given to the resampler in pieces of `pieceLength` samples. */
function resample(input: Float32Array, inputRateHz: number, pieceLength = input.length): Float32Array {
  const resampler = new Resampler(inputRateHz, outputRateHz);
  const output: number[] = [];
  for (let offset = 0; offset < input.length; offset += pieceLength) {
    output.push(...resampler.push(input.subarray(offset, offset + pieceLength)));
  }
  return Float32Array.from([...output, ...resampler.finish()]);
}

/** Without the ends, where a tone begins and stops. */
function middleOf(samples: Float32Array): Float32Array {
  return samples.subarray(samples.length / 4, (samples.length * 3) / 4);
}

const decibels = (ratio: number): number => 20 * Math.log10(ratio);

describe('the resampler', () => {
  it.each([8_000, 11_025, 22_050, 44_100, 48_000, 96_000, 44_101])(
    'keeps a tone of 1 kHz at %i Hz',
    (rateHz) => {
      const input = tone(1_000, 0.5, rateHz);
      const output = resample(input, rateHz);
      const expected = tone(1_000, 0.5, outputRateHz);
      expect(output.length).toBe(Math.ceil((input.length * outputRateHz) / rateHz));
      const error = middleOf(output.map((sample, index) => sample - (expected[index] ?? 0)));
      expect(decibels(levelOf(error) / levelOf(expected))).toBeLessThan(-70);
    },
  );

  it.each([8_400, 10_000, 15_000, 21_000])(
    'lets nothing of a tone of %i Hz alias into the band',
    (frequencyHz) => {
      const input = tone(frequencyHz, 0.5, 44_100);
      const output = middleOf(resample(input, 44_100));
      expect(decibels(levelOf(output) / levelOf(input))).toBeLessThan(-60);
    },
  );

  it('keeps the band of speech at its level', () => {
    for (const frequencyHz of [100, 3_000, 6_000, 7_000]) {
      const input = tone(frequencyHz, 0.5, 44_100);
      const output = middleOf(resample(input, 44_100));
      expect(Math.abs(decibels(levelOf(output) / levelOf(middleOf(input))))).toBeLessThan(0.2);
    }
  });

  it('gives the same whatever the pieces are', () => {
    const input = tone(440, 0.2, 44_100);
    const whole = resample(input, 44_100);
    for (const pieceLength of [1, 7, 576, 5_000]) expect(resample(input, 44_100, pieceLength)).toEqual(whole);
  });

  it('gives nothing for nothing', () => {
    expect(resample(new Float32Array(0), 44_100)).toHaveLength(0);
  });
});
