import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { decode, decodingError } from '../../../support/audio/audio-decoding.ts';
import { testFolder } from '../../../support/files/test-folder.ts';
import {
  audioKinds,
  builtInKinds,
  convert,
  convertAll,
  ffmpegKinds,
  hasFfmpeg,
  probeSeconds,
} from '../../../support/audio/audio-kinds.ts';
import { levelOf, tone, writeWav } from '../../../support/audio/wav.ts';

const seconds = 3;
const source = path.join(testFolder, 'source.wav');

/** The files of all kinds are made once. */
const fileOf = (name: string) => path.join(testFolder, name);
const lengths = new Map<string, Promise<number>>();
function lengthOf(name: string): Promise<number> {
  const length = lengths.get(name) ?? probeSeconds(fileOf(name));
  lengths.set(name, length);
  return length;
}

const rareKinds = [
  ['gsm.wav', '-ar 8000 -c:a libgsm_ms'],
  ['rf64.wav', '-rf64 always'],
  ['rf64-adpcm.wav', '-rf64 always -c:a adpcm_ms'],
  ['float.webm', '-c:a pcm_f32le -f matroska'],
  ['float.mp4', '-c:a pcm_f32le -f mov'],
  ['speex.ogg', '-ar 16000 -c:a libspeex'],
  ['g722.wav', '-ar 16000 -c:a g722'],
  ['g726.wav', '-ar 8000 -c:a g726'],
  ['stream.mpeg', '-c:a mp2 -f mpegts'],
  ['wave64.wav', '-f w64'],
] as const;

describe.runIf(hasFfmpeg)('audio files', () => {
  beforeAll(async () => {
    writeFileSync(source, writeWav(tone(440, seconds)));
    await convertAll(source, testFolder, [...audioKinds, ...rareKinds]);
  });

  describe.each([
    // It is not asked for WAV that hearth reads.
    ['ffmpeg', 'ffmpeg', audioKinds.filter(([name]) => !name.endsWith('.wav'))],
    ['hearth itself', undefined, builtInKinds],
  ] as const)('decoded by %s', (_who, ffmpeg, kinds) => {
    it.each(kinds)('last as long as ffprobe says, and sound the same: %s', async (name) => {
      const samples = await decode(fileOf(name), { ffmpeg });
      // A bare stream of AAC says nothing of its length; ffprobe guesses from its size.
      const expectedSeconds = name === 'adts.mp3' ? seconds : await lengthOf(name);
      expect(Math.abs(samples.length / 16_000 - expectedSeconds)).toBeLessThan(
        name === 'adts.mp3' ? 0.13 : 0.05,
      );
      const middle = samples.subarray(16_000, 32_000);
      expect(levelOf(middle)).toBeGreaterThan(0.23);
      expect(levelOf(middle)).toBeLessThan(0.37);
      expect(frequencyOf(middle)).toBeCloseTo(440, -0.5);
    });
  });

  it.each(ffmpegKinds)('say where there is no ffmpeg that they need it: %s', async (name) => {
    const error = await decodingError(fileOf(name));
    expect([error.code, error.param]).toEqual(['invalid_audio', 'file']);
    expect(error.message).toMatch(/Send WAV, MP3.* or install ffmpeg .*apt-get install ffmpeg/);
  });

  it.each(rareKinds)('are decoded by ffmpeg in older and rarer forms: %s', async (name) => {
    const samples = await decode(fileOf(name), { ffmpeg: 'ffmpeg' });
    expect(samples.length / 16_000).toBeCloseTo(seconds, 0.5);
    expect(frequencyOf(samples.subarray(16_000, 32_000))).toBeCloseTo(440, -0.7);
  });

  it('say in which form their sound is that is not read', async () => {
    const file = path.join(testFolder, 'unread.wav');
    await convert(source, file, '-ar 8000 -c:a adpcm_yamaha');
    const { code, message } = await decodingError(file, { ffmpeg: 'ffmpeg' });
    expect([code, message]).toEqual(['invalid_audio', expect.stringContaining('"adpcm_yamaha"')]);
  });

  it.each([
    ['ffmpeg', 'ffmpeg', 'silent.mp4', '-c:v mpeg4'],
    ['ffmpeg', 'ffmpeg', 'silent.webm', '-c:v libvpx'],
    ['ffmpeg', 'ffmpeg', 'silent.mpeg', '-c:v mpeg1video -r 25'],
    ['hearth itself', undefined, 'silent.webm', '-c:v libvpx'],
  ])('say to %s that they have no sound track: %s %s', async (_who, ffmpeg, name, args) => {
    const file = path.join(testFolder, name);
    await convert(source, file, `-f lavfi -i testsrc=s=64x64 -map 1:v -t 1 ${args}`);
    const error = await decodingError(file, { ffmpeg });
    expect(error.code).toBe('invalid_audio');
    expect(error.message).toMatch(/it has no audio track/);
  });

  // One of each container, which tells how long its packets last.
  it.each(['mono.flac', 'stereo.mp3', 'opus.ogg', 'vorbis.webm', 'mu-law.wav'])(
    'are not decoded by hearth when they are too long: %s',
    async (name) => {
      expect((await decodingError(fileOf(name), { maxSeconds: 1 })).code).toBe('audio_too_long');
    },
  );
});

/** Of a clean tone at 16 kHz, by its zero crossings. */
function frequencyOf(samples: Float32Array): number {
  let crossings = 0;
  for (let index = 1; index < samples.length; index++) {
    if ((samples[index - 1] ?? 0) < 0 && (samples[index] ?? 0) >= 0) crossings++;
  }
  return (crossings * 16_000) / samples.length;
}
