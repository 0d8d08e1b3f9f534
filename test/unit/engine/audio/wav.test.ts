import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { decode, decodingError } from '../../../support/audio/audio-decoding.ts';
import { testFolder } from '../../../support/files/test-folder.ts';
import { levelOf, tone, writeWav, type WavOptions } from '../../../support/audio/wav.ts';

const seconds = 0.25;

function writeFile(name: string, content: Uint8Array): string {
  const file = path.join(testFolder, name);
  writeFileSync(file, content);
  return file;
}

/** How far the noise of the encoding lies below the tone, in decibels. */
async function noiseOf(options: WavOptions): Promise<number> {
  const { rateHz = 16_000 } = options;
  const file = writeFile('encoded.wav', writeWav(tone(500, seconds, rateHz), options));
  const decoded = await decode(file);
  expect(decoded.length).toBe(seconds * 16_000);
  const expected = tone(500, seconds);
  const noise = decoded.map((sample, index) => sample - (expected[index] ?? 0)).subarray(500, 3_500);
  return 20 * Math.log10(levelOf(noise) / levelOf(expected));
}

describe('WAV files', () => {
  it.each([
    ['u8', -40],
    ['s16', -85],
    ['s24', -110],
    ['s32', -110],
    ['f32', -110],
    ['f64', -110],
    ['mu-law', -33],
    ['a-law', -33],
  ] as const)('are decoded from %s', async (encoding, maxNoise) => {
    expect(await noiseOf({ encoding })).toBeLessThan(maxNoise);
  });

  it('are decoded from stereo, other rates and the extensible format', async () => {
    expect(await noiseOf({ channels: 2, rateHz: 44_100 })).toBeLessThan(-70);
    expect(await noiseOf({ channels: 6, rateHz: 48_000, encoding: 's24', extensible: true })).toBeLessThan(
      -70,
    );
    expect(await noiseOf({ rateHz: 8_000, encoding: 'mu-law' })).toBeLessThan(-33);
  });

  it('may claim more than there is, as programs do that write to a pipe', async () => {
    const wav = writeWav(tone(500, seconds));
    wav.writeUInt32LE(0xffff_ffff, wav.length - seconds * 32_000 - 4);
    expect(await decode(writeFile('piped.wav', wav))).toHaveLength(seconds * 16_000);
  });

  it('are refused where they hold nothing, are cut off or are damaged', async () => {
    const wav = writeWav(tone(500, seconds));
    const noChannels = Buffer.from(wav);
    noChannels.writeUInt16LE(0, noChannels.indexOf('fmt ') + 10);
    const endless = Buffer.from(wav);
    endless.writeUInt32LE(0xffff_ffff, 16);
    const broken = { empty: writeWav(new Float32Array(0)), cut: wav.subarray(0, 40), noChannels, endless };
    for (const [name, content] of Object.entries(broken)) {
      const error = await decodingError(writeFile(`${name}.wav`, content));
      expect([error.code, error.param]).toEqual(['invalid_audio', 'file']);
    }
  });

  it('may be as long as allowed and no longer', async () => {
    const file = writeFile('long.wav', writeWav(new Float32Array(32_000)));
    expect(await decode(file, { maxSeconds: 2 })).toHaveLength(32_000);
    const longer = writeFile('longer.wav', writeWav(new Float32Array(32_001)));
    expect((await decodingError(longer, { maxSeconds: 2 })).code).toBe('audio_too_long');
  });

  it.each([0, 100, 8000, 0x1234_5678])(
    'are heard whole whose recorder crashed: %i claimed',
    async (claimed) => {
      // Full noise, so that nothing in it looks like the head of a chunk.
      const wav = writeWav(tone(500, seconds));
      wav.writeUInt32LE(claimed, wav.length - seconds * 32_000 - 4);
      wav.writeUInt32LE(0, 4);
      expect(await decode(writeFile('crashed.wav', wav))).toHaveLength(seconds * 16_000);
    },
  );

  it('are heard in all their parts, without what stands between', async () => {
    const whole = writeWav(tone(500, seconds));
    const head = whole.length - seconds * 32_000;
    const [first, second] = [whole.subarray(head, head + 2000), whole.subarray(head + 2000)];
    const chunk = (id: string, content: Uint8Array) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(content.length);
      return Buffer.concat([Buffer.from(id, 'latin1'), length, content]);
    };
    const parts = [
      chunk('data', first),
      chunk('LIST', Buffer.alloc(26, 'x')),
      chunk('data', second),
      chunk('id3 ', Buffer.alloc(4)),
    ];
    const file = writeFile('parts.wav', Buffer.concat([whole.subarray(0, head - 8), ...parts]));
    expect(await decode(file)).toEqual(await decode(writeFile('whole.wav', whole)));
  });
});
