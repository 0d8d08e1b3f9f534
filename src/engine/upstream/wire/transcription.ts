import { randomUUID } from 'node:crypto';
import { Slices } from '../../../timing/slices.ts';
import { wavHeader } from '../../audio/wav-header.ts';
import { anyLanguage, transcriptionLanguages } from '../../speech/transcription-languages.ts';
import {
  sampleRateHz,
  type Transcript,
  type TranscriptionRequest,
  type TranscriptSegment,
} from '../../speech/transcription-types.ts';
import type { Content } from '../connection.ts';
import type { ServerKind } from './server-kind.ts';
import { fieldsOf, listOf, textOf, type Fields } from './json.ts';

const sampleBytes = 2;
/** Samples that are written at once, which takes less than a millisecond. */
const samplesPerPart = 2 ** 16;
const windowSeconds = 30;

/** The body of a request for a transcription: a form with the audio as a WAV file. */
export async function toTranscriptionBody(
  { samples, language, prompt, temperature }: TranscriptionRequest,
  model: string,
  serverKind: ServerKind,
): Promise<Content> {
  const wanted = language === anyLanguage ? serverKind.anyLanguage : language;
  const fields = {
    model,
    response_format: 'verbose_json',
    ...(wanted !== undefined && { language: wanted }),
    ...(prompt !== undefined && { prompt }),
    temperature: String(temperature),
  };
  const boundary = randomUUID();
  const begin = (about: string) => `--${boundary}\r\nContent-Disposition: form-data; ${about}\r\n`;
  const texts = Object.entries(fields).map(([name, text]) => `${begin(`name="${name}"`)}\r\n${text}\r\n`);
  const file = `${begin('name="file"; filename="audio.wav"')}Content-Type: audio/wav\r\n\r\n`;
  const before = Buffer.concat([
    Buffer.from(texts.join('') + file),
    wavHeader(sampleRateHz, sampleBytes * samples.length),
  ]);
  const after = Buffer.from(`\r\n--${boundary}--\r\n`);
  // In place: an hour is 115 MB, of which FormData would make two copies at once.
  const content = new Uint8Array(before.length + sampleBytes * samples.length + after.length);
  content.set(before);
  await writeSamples(content, before.length, samples);
  content.set(after, content.length - after.length);
  return { content, type: `multipart/form-data; boundary=${boundary}` };
}

/** Writes `samples` as 16-bit numbers from `offset` on, while other work goes on: an hour takes a third of a second. */
async function writeSamples(bytes: Uint8Array, offset: number, samples: Float32Array): Promise<void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset);
  const slices = new Slices();
  for (let start = 0; start < samples.length; start += samplesPerPart) {
    const end = Math.min(samples.length, start + samplesPerPart);
    for (let index = start; index < end; index++) {
      const sample = Math.max(-1, Math.min(1, samples[index] ?? 0));
      view.setInt16(sampleBytes * index, Math.round(sample * 32_767), true);
    }
    if (slices.isOver) await slices.next();
  }
}

/** The transcript that an upstream sent. A server without segments gets one for the whole audio. Throws AddressFailure. */
export function readTranscript(answer: Fields, { samples, language }: TranscriptionRequest): Transcript {
  const durationSeconds = samples.length / sampleRateHz;
  const text = textOf(answer['text'], 'text');
  const given = answer['segments'] === undefined ? [] : listOf(answer['segments'], 'segments');
  const whole: Fields[] = text.trim() === '' ? [] : [{ text, start: 0, end: durationSeconds }];
  const segments = given.length > 0 ? given.map((segment) => fieldsOf(segment) ?? {}) : whole;
  const told = answer['language'];
  const known = typeof told === 'string' && transcriptionLanguages.includes(told) ? told : language;
  return {
    language: known,
    durationSeconds,
    segments: segments.map((segment, id) => toSegment(segment, id, durationSeconds)),
  };
}

function toSegment(segment: Fields, id: number, durationSeconds: number): TranscriptSegment {
  const number = (name: string, least: number, most: number, otherwise: number): number => {
    const value = segment[name];
    return typeof value === 'number' && Number.isFinite(value)
      ? Math.min(most, Math.max(least, value))
      : otherwise;
  };
  const startSeconds = number('start', 0, durationSeconds, 0);
  const tokens = Array.isArray(segment['tokens']) ? (segment['tokens'] as unknown[]) : [];
  return {
    id,
    windowStartSeconds:
      number('seek', 0, 100 * durationSeconds, 0) / 100 || startSeconds - (startSeconds % windowSeconds),
    startSeconds,
    endSeconds: number('end', startSeconds, durationSeconds, durationSeconds),
    text: textOf(segment['text'], 'the text of a segment'),
    tokens: tokens.filter((token): token is number => Number.isSafeInteger(token) && Number(token) >= 0),
    temperature: number('temperature', 0, 1, 0),
    avgLogprob: number('avg_logprob', -1000, 0, 0),
    compressionRatio: number('compression_ratio', 0, 1000, 1),
    noSpeechProb: number('no_speech_prob', 0, 1, 0),
  };
}
