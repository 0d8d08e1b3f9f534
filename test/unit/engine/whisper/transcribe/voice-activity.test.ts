import { describe, expect, it } from 'vitest';
import { joinSpokenParts } from '../../../../../src/engine/whisper/transcribe/voice-activity.ts';

const ramp = Float32Array.from({ length: 16_000 * 10 }, (_, index) => index);

describe('joinSpokenParts', () => {
  it('puts the parts together with a pause between them, and finds the way back', async () => {
    const { samples, toOriginal } = await joinSpokenParts(ramp, [
      { startSeconds: 1, endSeconds: 2 },
      { startSeconds: 5, endSeconds: 7 },
    ]);
    expect(samples.length / 16_000).toBeCloseTo(3.1);
    expect([samples[0], samples[15_999], samples[16_000], samples[17_600]]).toEqual([
      16_000, 31_999, 0, 80_000,
    ]);
    expect([0, 0.5, 1, 1.05, 1.1, 2.1, 3.1].map(toOriginal)).toEqual([1, 1.5, 2, 2, 5, 6, 7]);
    expect(toOriginal(99)).toBe(7);
  });

  it('bounds spans by the audio, and makes nothing of none', async () => {
    const late = await joinSpokenParts(ramp, [
      { startSeconds: 9, endSeconds: 12 },
      { startSeconds: 13, endSeconds: 14 },
    ]);
    expect(late.samples.length).toBe(16_000);
    const none = await joinSpokenParts(ramp, []);
    expect(none.samples.length).toBe(0);
    expect(none.toOriginal(0)).toBe(0);
  });
});
