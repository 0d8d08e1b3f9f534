import { Slices } from '../../../timing/slices.ts';
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
/** Samples that are copied at once, which takes less than a millisecond. */
const copiedSamples = 2 ** 18;

/** The parts of `samples` in `spans`, which are in order and do not overlap. */
export async function joinSpokenParts(
  samples: Float32Array,
  spans: readonly SpeechSpan[],
): Promise<SpokenParts> {
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
  const slices = new Slices();
  for (const { from, start: to, length } of parts) {
    for (let at = 0; at < length; at += copiedSamples) {
      const end = Math.min(length, at + copiedSamples);
      joined.set(samples.subarray(from + at, from + end), to + at);
      if (slices.isOver) await slices.next();
    }
  }
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
