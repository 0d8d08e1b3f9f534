import type { z } from 'zod';
import type { FileTranscriptionRequest } from '../../engine/speech/file-transcriber.ts';
import { anyLanguage } from '../../engine/speech/transcription-languages.ts';
import type { Transcript, TranscriptSegment } from '../../engine/speech/transcription-types.ts';
import type { Principal } from '../../accounts/types.ts';
import type { CatalogModel } from '../../catalog/types.ts';
import type { transcription, TranscriptionParameters } from './schema.ts';

type Transcription = z.input<typeof transcription>;

/** Of what is spoken: a translation is asked for where that is not English. */
const defaultLanguages = { transcribe: 'en', translate: anyLanguage };
/** Of every translation. */
const english = 'en';
const seekStepsPerSecond = 100;

export function toTranscriptionRequest(
  { file, prompt, temperature = 0, language }: TranscriptionParameters,
  model: CatalogModel,
  { accountId, keyId }: Principal,
  translates: boolean,
): FileTranscriptionRequest {
  const { path, extension } = file;
  return {
    modelId: model.id,
    accountId,
    keyId,
    file: { path, extension },
    prompt,
    temperature,
    language: language ?? defaultLanguages[translates ? 'translate' : 'transcribe'],
    ...(translates && { translates }),
  };
}

export function toTranscription(
  { language, durationSeconds, segments }: Transcript,
  translates = false,
): Transcription {
  const duration = round(durationSeconds, 3);
  return {
    task: translates ? 'translate' : 'transcribe',
    language: translates ? english : language,
    duration,
    text: segments
      .map(({ text }) => text)
      .join('')
      .trim(),
    segments: segments.map(toSegment),
    usage: { type: 'duration', seconds: duration },
  };
}

/** `segment` as the document has it. */
export function toSegment(segment: TranscriptSegment): Transcription['segments'][number] {
  return {
    id: segment.id,
    seek: Math.round(segment.windowStartSeconds * seekStepsPerSecond),
    start: round(segment.startSeconds, 3),
    end: round(segment.endSeconds, 3),
    text: segment.text,
    tokens: [...segment.tokens],
    temperature: round(segment.temperature, 3),
    avg_logprob: segment.avgLogprob,
    compression_ratio: segment.compressionRatio,
    no_speech_prob: segment.noSpeechProb,
  };
}

/** `value` without digits that come only from binary fractions. */
function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
