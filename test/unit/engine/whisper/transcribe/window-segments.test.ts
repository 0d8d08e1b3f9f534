import { describe, expect, it } from 'vitest';
import { cutWindow } from '../../../../../src/engine/whisper/transcribe/transcribe-audio.ts';

const firstTimestamp = 1000;
const at = (seconds: number) => firstTimestamp + Math.round(seconds * 50);
const cut = (tokens: number[], frames = 3000) =>
  cutWindow({ tokens, logprobs: tokens.map((_, index) => -index) }, firstTimestamp, frames);

describe('cutWindow', () => {
  it('cuts where two timestamps meet, and goes on behind the last segment that is complete', () => {
    const { segments, advanceFrames } = cut([at(0), 1, 2, at(4), at(4.5), 3, at(9), at(9), 4]);
    expect(segments.map(({ startFrame, endFrame, tokens }) => [startFrame, endFrame, tokens])).toEqual([
      [0, 400, [at(0), 1, 2, at(4)]],
      [450, 900, [at(4.5), 3, at(9)]],
    ]);
    expect(advanceFrames).toBe(900);
  });

  it('takes the whole window where the last segment ends with its timestamp', () => {
    const { segments, advanceFrames } = cut([at(0), 1, at(4), at(4.5), 3, at(9)]);
    expect(segments.map(({ endFrame }) => endFrame)).toEqual([400, 900]);
    expect(advanceFrames).toBe(3000);
  });

  it('makes one segment of a window without a pair of timestamps', () => {
    expect(cut([at(0), 1, 2, at(7)])).toMatchObject({
      segments: [{ startFrame: 0, endFrame: 700 }],
      advanceFrames: 3000,
    });
    expect(cut([at(0), 1, 2], 1234)).toMatchObject({ segments: [{ endFrame: 1234 }], advanceFrames: 1234 });
    expect(cut([1, 2], 500)).toMatchObject({ segments: [{ startFrame: 0, endFrame: 500 }] });
  });

  it('gives each token its own log-probability, and the end of the text to none', () => {
    const window = { tokens: [at(0), 7, at(1)], logprobs: [-1, -2, -3, -99] };
    expect(cutWindow(window, firstTimestamp, 3000).segments[0]?.logprobs).toEqual([-1, -2, -3]);
    expect(cut([at(0), 5, at(1), at(1), 6, at(2)]).segments[1]?.logprobs).toEqual([-3, -4, -5]);
  });

  it('has an answer for a window in which nothing was written', () => {
    expect(cut([])).toMatchObject({ segments: [{ tokens: [] }], advanceFrames: 3000 });
  });
});
