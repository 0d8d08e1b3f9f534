import { deflateSync } from 'node:zlib';
import type { WrittenWindow } from '../addon/native.ts';

/** The final transcript of one window, and how likely it is to be right. */
export interface DecodedWindow {
  readonly tokens: readonly number[];
  readonly logprobs: readonly number[];
  readonly noSpeechProb: number;
  readonly temperature: number;
  readonly compressionRatio: number;
  /** True where the window holds no speech, so that the text is made up. */
  readonly isSilence: boolean;
}

// The values of `transcribe` in openai/whisper's transcribe.py.
const temperatureStep = 0.2;
const highestTemperature = 1;
const maxCompressionRatio = 2.4;
const minAvgLogprob = -1;
const maxNoSpeechProb = 0.6;

/**
 * The transcript that `write` gives at the lowest temperature, from `firstTemperature` upwards in steps of 0.2, where
 * the text neither repeats itself nor is improbable; where there is none, the one at the highest temperature.
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

/** Bytes of `text` over its bytes compressed with zlib; high for a text that repeats itself, 0 for ''. */
export function compressionRatio(text: string): number {
  const bytes = Buffer.from(text);
  return bytes.length / deflateSync(bytes).length;
}

/** Mean over all tokens and the end of the text, as in decoding.py. A missing end counts as certain. */
function meanLogprob({ tokens, logprobs }: WrittenWindow): number {
  return logprobs.reduce((sum, logprob) => sum + logprob, 0) / (tokens.length + 1);
}

/** `temperature` without the rounding errors of adding decimal fractions. */
const round = (temperature: number) => Math.round(temperature * 1e6) / 1e6;
