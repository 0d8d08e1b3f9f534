import { describe, expect, it } from 'vitest';
import {
  compressionRatio,
  decodeWithFallback,
} from '../../../../../src/engine/whisper/transcribe/decode-with-fallback.ts';
import type { WrittenWindow } from '../../../../../src/engine/whisper/addon/native.ts';

const good: WrittenWindow = { tokens: [1, 2], logprobs: [-0.1, -0.2, -0.1], noSpeechProb: 0.1 };
const improbable: WrittenWindow = { ...good, logprobs: [-2, -2, -2] };
const texts = new Map([
  [1, 'Some words'],
  [2, ' that say something'],
  [3, 'again and again '.repeat(20)],
]);
const textOf = (tokens: readonly number[]) => tokens.map((token) => texts.get(token)).join('');

/** Decodes with `write`, and notes the temperatures. */
async function decode(write: (temperature: number) => WrittenWindow, firstTemperature = 0) {
  const temperatures: number[] = [];
  const window = await decodeWithFallback(
    async (temperature) => {
      temperatures.push(temperature);
      return write(temperature);
    },
    textOf,
    firstTemperature,
  );
  return { window, temperatures };
}

describe('decodeWithFallback', () => {
  it('keeps what is good at the first temperature', async () => {
    const { window, temperatures } = await decode(() => good, 0.3);
    expect(temperatures).toEqual([0.3]);
    expect(window).toMatchObject({ temperature: 0.3, isSilence: false, tokens: [1, 2] });
  });

  it('raises the temperature in steps of 0.2 while the text is improbable', async () => {
    const { window, temperatures } = await decode((temperature) => (temperature < 0.5 ? improbable : good));
    expect(temperatures).toEqual([0, 0.2, 0.4, 0.6]);
    expect(window.temperature).toBe(0.6);
  });

  it('raises it while the text repeats itself', async () => {
    const repeating = { ...good, tokens: [3] };
    const { window } = await decode((temperature) => (temperature === 0 ? repeating : good));
    expect(window.temperature).toBe(0.2);
    expect(window.compressionRatio).toBe(compressionRatio(textOf([1, 2])));
  });

  it('takes what the last temperature gives, however it is', async () => {
    const { window, temperatures } = await decode(() => improbable);
    expect(temperatures).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(window).toMatchObject({ temperature: 1, isSilence: false });
    expect((await decode(() => improbable, 0.9)).temperatures).toEqual([0.9]);
    expect((await decode(() => improbable, 1)).temperatures).toEqual([1]);
  });

  it('takes improbable text over probable silence for silence, and tries no further', async () => {
    const { window, temperatures } = await decode(() => ({ ...improbable, noSpeechProb: 0.7 }));
    expect(temperatures).toEqual([0]);
    expect(window.isSilence).toBe(true);
    expect((await decode(() => ({ ...good, noSpeechProb: 0.7 }))).window.isSilence).toBe(false);
  });
});

describe('compressionRatio', () => {
  it('is above 2.4 for what repeats itself and below for what does not', () => {
    expect(compressionRatio('la la la la la la la la la la la la la la la la')).toBeGreaterThan(2.4);
    expect(compressionRatio('The quick brown fox jumped over the lazy dog.')).toBeLessThan(1);
    expect(compressionRatio('')).toBe(0);
  });
});
