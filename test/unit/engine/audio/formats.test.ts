import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { audioDir, decode } from '../../../support/audio-decoding.ts';
import { audioKinds, convert, hasFfmpeg, probeSeconds } from '../../../support/audio-kinds.ts';
import { levelOf, tone, writeWav } from '../../../support/wav.ts';

const seconds = 3;
const source = path.join(audioDir, 'source.wav');

describe.runIf(hasFfmpeg)('audio files', () => {
  beforeAll(() => {
    writeFileSync(source, writeWav(tone(440, seconds)));
  });

  describe.each([
    ['ffmpeg', 'ffmpeg'],
    ['hearth itself', undefined],
  ])('decoded by %s', (_who, ffmpeg) => {
    it.each(audioKinds)('last as long as ffprobe says, and sound the same: %s', async (name, args) => {
      const file = path.join(audioDir, name);
      await convert(source, file, args);
      const samples = await decode(file, { ffmpeg });
      // A bare stream of AAC says nothing of its length; ffprobe guesses from its size.
      const expectedSeconds = name === 'adts.mp3' ? seconds : await probeSeconds(file);
      expect(Math.abs(samples.length / 16_000 - expectedSeconds)).toBeLessThan(
        name === 'adts.mp3' ? 0.13 : 0.05,
      );
      const middle = samples.subarray(16_000, 32_000);
      expect(levelOf(middle)).toBeGreaterThan(0.23);
      expect(levelOf(middle)).toBeLessThan(0.37);
      expect(frequencyOf(middle)).toBeCloseTo(440, -0.5);
    });
  });
});

/** Of a clean tone at 16 kHz, by its zero crossings. */
function frequencyOf(samples: Float32Array): number {
  let crossings = 0;
  for (let index = 1; index < samples.length; index++) {
    if ((samples[index - 1] ?? 0) < 0 && (samples[index] ?? 0) >= 0) crossings++;
  }
  return (crossings * 16_000) / samples.length;
}
