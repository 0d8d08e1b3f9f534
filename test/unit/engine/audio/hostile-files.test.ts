import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { decode, decodingError } from '../../../support/audio/audio-decoding.ts';
import { testFolder } from '../../../support/files/test-folder.ts';
import { convert, hasFfmpeg } from '../../../support/audio/audio-kinds.ts';
import { tone, writeWav } from '../../../support/audio/wav.ts';

const secret = path.join(testFolder, 'secret.wav');

function writeFile(name: string, content: string | Uint8Array): string {
  const file = path.join(testFolder, name);
  writeFileSync(file, content);
  return file;
}

const bomb = path.join(testFolder, 'bomb.flac');

beforeAll(() => {
  writeFileSync(secret, writeWav(tone(440, 1)));
  if (!hasFfmpeg) return;
  const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '5000', '-compression_level', '12'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...silence, bomb]);
  // Of its samples a seventy-fifth.
  expect(readFileSync(bomb).length).toBeLessThan((5_000 * 8_000 * 2) / 75);
});

describe.each([
  ['ffmpeg', 'ffmpeg'],
  ['hearth itself', undefined],
])('%s', (_who, ffmpeg) => {
  it.runIf(hasFfmpeg).each([
    ['a playlist', `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${secret}\n#EXT-X-ENDLIST\n`],
    ['a list of files', `ffconcat version 1.0\nfile '${secret}'\n`],
    [
      'a session description',
      `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\n`,
    ],
  ])('reads nothing through %s', async (_what, content) => {
    for (const name of ['list.mp3', 'list.m4a', 'list.wav']) {
      expect((await decodingError(writeFile(name, content), { ffmpeg })).code).toBe('invalid_audio');
    }
  });

  it.runIf(hasFfmpeg)('stops at the length that is allowed, however small the file', async () => {
    expect((await decodingError(bomb, { ffmpeg, maxSeconds: 60 })).code).toBe('audio_too_long');
    const renamed = writeFile('bomb.webm', readFileSync(bomb));
    expect((await decodingError(renamed, { ffmpeg, maxSeconds: 60 })).code).toBe('audio_too_long');
  });

  it.runIf(hasFfmpeg)('leaves no process and no file behind when the client leaves', async () => {
    const file = path.join(testFolder, 'left.webm');
    await convert(secret, file, '-c:a libopus');
    const before = readdirSync(testFolder);
    const leaving = new AbortController();
    const decoding = decode(file, { ffmpeg, signal: leaving.signal });
    setImmediate(() => leaving.abort(new Error('left')));
    await expect(decoding).rejects.toThrow('left');
    expect(readdirSync(testFolder)).toEqual(before);
  });
});

it('decodes what ffmpeg cannot be found for', async () => {
  const file = writeFile('plain.wav', readFileSync(secret));
  expect(await decode(file, { ffmpeg: '/nowhere/ffmpeg' })).toHaveLength(16_000);
});
