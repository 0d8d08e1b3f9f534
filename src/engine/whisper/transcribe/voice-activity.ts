import { sampleRateHz } from '../../speech/transcription-types.ts';
import type { SpeechSpan } from '../addon/native.ts';

/** The parts of an audio that hold speech, joined, with a function that gives their times in the whole audio. */
export interface SpokenParts {
  readonly samples: Float32Array;
  /** The time in the whole audio for a time in the joined parts, both in seconds. */
  readonly toOriginal: (seconds: number) => number;
}

/** Silence between two parts, so that the last word of one and the first of the next are not joined. */
const pauseSeconds = 0.1;

/** The parts of `samples` in `spans`, which are in order and do not overlap. */
export function joinSpokenParts(samples: Float32Array, spans: readonly SpeechSpan[]): SpokenParts {
  const pause = Math.round(pauseSeconds * sampleRateHz);
  const parts: { from: number; start: number; length: number }[] = [];
  let start = 0;
  for (const { startSeconds, endSeconds } of spans) {
    const from = Math.min(samples.length, Math.round(startSeconds * sampleRateHz));
    const length = Math.min(samples.length, Math.round(endSeconds * sampleRateHz)) - from;
    if (length <= 0) continue;
    parts.push({ from, start, length });
    start += length + pause;
  }
  const joined = new Float32Array(Math.max(0, start - pause));
  for (const part of parts) joined.set(samples.subarray(part.from, part.from + part.length), part.start);
  return {
    samples: joined,
    toOriginal(seconds) {
      const position = seconds * sampleRateHz;
      const part = parts.findLast((candidate) => candidate.start <= position) ?? parts[0];
      if (part === undefined) return seconds;
      return (part.from + Math.min(position - part.start, part.length)) / sampleRateHz;
    },
  };
}
