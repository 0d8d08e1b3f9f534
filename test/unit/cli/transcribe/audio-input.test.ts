import { expect, it } from 'vitest';
import { extensionOf } from '../../../../src/cli/transcribe/audio-input.ts';

it.each([
  ['wav', 'RIFF....WAVE'],
  ['flac', 'fLaC\u0000\u0000'],
  ['ogg', 'OggS\u0000\u0002'],
  ['webm', '\u001AE\u00DF\u00A3\u0001'],
  ['mp4', '\u0000\u0000\u0000 ftypisom'],
  ['mp3', 'ID3\u0004'],
  ['mp3', '\u00FF\u00FB\u0090'],
  ['mp3', ''],
])('sound without a name goes as %s where it begins with %j', (extension, head) => {
  expect(extensionOf(Buffer.from(head, 'latin1'))).toBe(extension);
});
