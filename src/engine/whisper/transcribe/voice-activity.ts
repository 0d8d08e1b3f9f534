import { sampleRateHz } from '../../speech/transcription-types.ts';
import type { SpeechSpan } from '../addon/native.ts';

/** The parts of an audio in which someone speaks, put together, and the way back to its own times. */
export interface SpokenParts {
  readonly samples: Float32Array;
  /** Seconds of the whole audio for seconds of the parts. */
  readonly toOriginal: (seconds: number) => number;
}

/** So that the last word of a part and the first of the next are not one. */
const pauseSeconds = 0.1;

/** What `samples` hold in `spans`, which are in order and do not overlap. */
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
