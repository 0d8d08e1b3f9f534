import type { DecodedWindow } from './decode-with-fallback.ts';

/** Some of a window's tokens, and the part of the window in which they were heard, in frames of 10 ms. */
export interface WindowSegment {
  readonly startFrame: number;
  readonly endFrame: number;
  readonly tokens: readonly number[];
  /** One for each token. */
  readonly logprobs: readonly number[];
}

export interface CutWindow {
  readonly segments: readonly WindowSegment[];
  /** Where the next window begins: after the last complete segment. */
  readonly advanceFrames: number;
}

const timestampFrames = 2;

/**
 * The segments of a window of `frames`: a segment ends, and the next begins, where two timestamps meet
 * (transcribe.py in openai/whisper). The audio after the last such pair is in the next window again.
 */
export function cutWindow(
  { tokens, logprobs }: Pick<DecodedWindow, 'tokens' | 'logprobs'>,
  firstTimestamp: number,
  frames: number,
): CutWindow {
  const isTimestamp = (token: number | undefined) => token !== undefined && token >= firstTimestamp;
  const frameOf = (token: number | undefined) =>
    token !== undefined && token >= firstTimestamp ? (token - firstTimestamp) * timestampFrames : 0;
  const cuts = [...tokens.keys()].filter(
    (index) => isTimestamp(tokens[index]) && isTimestamp(tokens[index - 1]),
  );
  if (cuts.length === 0) {
    const last = frameOf(tokens.findLast(isTimestamp));
    const endFrame = last > 0 ? last : frames;
    const whole = { startFrame: 0, endFrame, tokens, logprobs: logprobs.slice(0, tokens.length) };
    return { segments: [whole], advanceFrames: frames };
  }
  const endsWithSegment = isTimestamp(tokens.at(-1)) && !isTimestamp(tokens.at(-2));
  if (endsWithSegment) cuts.push(tokens.length);
  const segments = cuts.map((end, index) => {
    const start = cuts[index - 1] ?? 0;
    return {
      startFrame: frameOf(tokens[start]),
      endFrame: frameOf(tokens[end - 1]),
      tokens: tokens.slice(start, end),
      logprobs: logprobs.slice(start, end),
    };
  });
  return { segments, advanceFrames: endsWithSegment ? frames : (segments.at(-1)?.endFrame ?? 0) };
}
