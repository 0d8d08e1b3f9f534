import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { TooLongError } from '../../../../src/engine/audio/built-in/pcm-output.ts';
import { decodeWithLibav } from '../../../../src/engine/audio/built-in/libav.ts';
import { testFolder } from '../../../support/files/test-folder.ts';
import { builtInKinds, convertAll, hasFfmpeg } from '../../../support/audio/audio-kinds.ts';
import { tone, writeWav } from '../../../support/audio/wav.ts';

const compressed = builtInKinds.filter(([name]) => !name.endsWith('.wav'));

describe.runIf(hasFfmpeg)('a file of three seconds', () => {
  beforeAll(async () => {
    const source = path.join(testFolder, 'source.wav');
    writeFileSync(source, writeWav(tone(440, 3)));
    await convertAll(source, testFolder, compressed);
  });

  /** How many seconds of the file come before the end, and why it ended early. */
  async function decode(name: string, maxSeconds: number) {
    let seconds = 0;
    const error: unknown = await decodeWithLibav(readFileSync(path.join(testFolder, name)), maxSeconds, {
      write: async (samples, rateHz) => {
        seconds += samples.length / rateHz;
        return true;
      },
    }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { seconds, error };
  }

  it.each(compressed)('is not decoded at all where two are too long: %s', async (name) => {
    expect(await decode(name, 2)).toEqual({ seconds: 0, error: expect.any(TooLongError) });
  });

  // That all kinds are decoded whole, formats.test.ts shows.
  it('is decoded where four are not too long', async () => {
    const { seconds, error } = await decode('opus.ogg', 4);
    expect(error).toBeUndefined();
    expect(seconds).toBeGreaterThan(2.9);
  });
});
