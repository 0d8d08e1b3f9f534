import { transcriptionLanguages } from '../../speech/transcription-languages.ts';
import { anyLanguage } from '../../speech/transcription-languages.ts';
import {
  sampleRateHz,
  type Transcript,
  type TranscriptionRequest,
  type TranscriptSegment,
} from '../../speech/transcription-types.ts';
import type { Content } from '../connection.ts';
import type { Dialect } from './server-kind.ts';
import { fieldsOf, listOf, textOf, type Fields } from './json.ts';

const wavHeaderBytes = 44;
const windowSeconds = 30;

/** What an upstream is asked for a transcription: a form with the audio as a WAV file. */
export async function toTranscriptionBody(
  { samples, language, prompt, temperature }: TranscriptionRequest,
  model: string,
  dialect: Dialect,
): Promise<Content> {
  const form = new FormData();
  form.set('model', model);
  form.set('response_format', 'verbose_json');
  const wanted = language === anyLanguage ? dialect.anyLanguage : language;
  if (wanted !== undefined) form.set('language', wanted);
  if (prompt !== undefined) form.set('prompt', prompt);
  form.set('temperature', String(temperature));
  form.set('file', new File([toWav(samples)], 'audio.wav', { type: 'audio/wav' }));
  const response = new Response(form);
  return {
    content: new Uint8Array(await response.arrayBuffer()),
    type: response.headers.get('content-type') ?? 'multipart/form-data',
  };
}

/** 16-bit samples of one channel. */
function toWav(samples: Float32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(wavHeaderBytes + 2 * samples.length);
  const view = new DataView(bytes.buffer);
  const write = (offset: number, text: string) => bytes.set(Buffer.from(text, 'latin1'), offset);
  write(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  write(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, 2 * sampleRateHz, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  write(36, 'data');
  view.setUint32(40, 2 * samples.length, true);
  for (const [index, sample] of samples.entries())
    view.setInt16(wavHeaderBytes + 2 * index, Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), true);
  return bytes;
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
