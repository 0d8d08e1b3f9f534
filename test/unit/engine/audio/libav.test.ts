import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { TooLongError } from '../../../../src/engine/audio/built-in/pcm-output.ts';
import { decodeWithLibav } from '../../../../src/engine/audio/built-in/libav.ts';
import { testFolder } from '../../../support/files/test-folder.ts';
import { builtInKinds, convert, hasFfmpeg } from '../../../support/audio/audio-kinds.ts';
import { tone, writeWav } from '../../../support/audio/wav.ts';

const source = path.join(testFolder, 'source.wav');
const compressed = builtInKinds.filter(([name]) => !name.endsWith('.wav'));

it.runIf(hasFfmpeg).each(compressed)(
  'a file that is too long is not decoded at all: %s',
  async (name, args) => {
    writeFileSync(source, writeWav(tone(440, 3)));
    const file = path.join(testFolder, name);
    await convert(source, file, args);
    let sampleSeconds = 0;
    const decode = (maxSeconds: number): Promise<void> =>
      decodeWithLibav(readFileSync(file), maxSeconds, {
        write: async (samples, rateHz) => {
          sampleSeconds += samples.length / rateHz;
          return true;
        },
      });
    await expect(decode(2)).rejects.toThrow(TooLongError);
    expect(sampleSeconds).toBe(0);
    await decode(4);
    expect(sampleSeconds).toBeGreaterThan(2.9);
  },
);
