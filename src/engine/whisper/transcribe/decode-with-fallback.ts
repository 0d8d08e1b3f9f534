import { compressionRatio } from './compression-ratio.ts';
import type { WrittenWindow } from '../addon/native.ts';

/** One window as it was finally written, and what speaks for and against it. */
export interface DecodedWindow {
  readonly tokens: readonly number[];
  readonly logprobs: readonly number[];
  readonly noSpeechProb: number;
  readonly temperature: number;
  readonly compressionRatio: number;
  /** Nothing was said: what was written was made up. */
  readonly isSilence: boolean;
}

// The values of `transcribe` in openai/whisper's transcribe.py.
const temperatureStep = 0.2;
const highestTemperature = 1;
const maxCompressionRatio = 2.4;
const minAvgLogprob = -1;
const maxNoSpeechProb = 0.6;

/**
 * What `write` makes of a window at the first temperature, from `firstTemperature` upwards in steps of 0.2, at which
 * the text neither repeats itself nor is improbable; else what it makes at the last one.
 */
export async function decodeWithFallback(
  write: (temperature: number) => Promise<WrittenWindow>,
  textOf: (tokens: readonly number[]) => string,
  firstTemperature: number,
): Promise<DecodedWindow> {
  for (let attempt = 0; ; attempt++) {
    const temperature = round(firstTemperature + attempt * temperatureStep);
    const written = await write(temperature);
    const ratio = compressionRatio(textOf(written.tokens).trim());
    const isImprobable = meanLogprob(written) < minAvgLogprob;
    const isSilence = isImprobable && written.noSpeechProb > maxNoSpeechProb;
    const isGood = ratio <= maxCompressionRatio && !isImprobable;
    const isLast = round(temperature + temperatureStep) > highestTemperature;
    if (isGood || isSilence || isLast) return { ...written, temperature, compressionRatio: ratio, isSilence };
  }
}

/** Over all tokens and the end of the text, as in decoding.py; one that never came counts as certain. */
function meanLogprob({ tokens, logprobs }: WrittenWindow): number {
  return logprobs.reduce((sum, logprob) => sum + logprob, 0) / (tokens.length + 1);
}

/** Without the dust of adding decimal fractions. */
const round = (temperature: number) => Math.round(temperature * 1e6) / 1e6;
