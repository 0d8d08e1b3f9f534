import { describe, expect, it } from 'vitest';
import { chooseFiles } from '../../../../../src/catalog/download/hugging-face/choose-files.ts';

const choose = (paths: readonly string[], selector: string | null): readonly string[] =>
  chooseFiles(
    paths.map((path) => ({ path, sizeBytes: 1, sha256: undefined })),
    selector,
  ).map(({ path }) => path);

const bartowski = [
  '.gitattributes',
  'M-1B-Q4_K_M.gguf',
  'M-1B-Q4_K_L.gguf',
  'M-1B-Q8_0.gguf',
  'M-1B-f16.gguf',
  'M-1B-imatrix.gguf',
  'README.md',
];
const unsloth = [
  'BF16/M-BF16-00001-of-00002.gguf',
  'BF16/M-BF16-00002-of-00002.gguf',
  'M-Q4_K_XL.gguf',
  'M-UD-Q4_K_XL.gguf',
  'mmproj-F16.gguf',
];
const projector = 'mmproj-F16.gguf';
const qwenVoice = [
  'Qwen3-TTS-12Hz-1.7B-Base-Q4_K_M.gguf',
  'Qwen3-TTS-12Hz-1.7B-Base-Q8_0.gguf',
  'mmproj-Qwen3-TTS-12Hz-1.7B-Base-Q8_0.gguf',
];
const pocketVoices = [
  'italian/pocket-tts-italian.gguf',
  'italian/mmproj-pocket-tts-italian.gguf',
  'pocket-tts-en.gguf',
  'mmproj-pocket-tts-en.gguf',
];
const whisper = ['ggml-base.bin', 'ggml-base.en.bin', 'ggml-base-q5_1.bin', 'ggml-tiny.bin'];

describe('chooseFiles', () => {
  it.each([
    ['the usual one when nothing is said', bartowski, null, ['M-1B-Q4_K_M.gguf']],
    ['a quantisation, in any case', bartowski, 'q8_0', ['M-1B-Q8_0.gguf']],
    ['F16 with the projector', unsloth, 'BF16', [...unsloth.slice(0, 2), projector]],
    ['a projector that is named', unsloth, projector, [projector]],
    [
      'the usual one of several projectors',
      [...unsloth, 'mmproj-F32.gguf', 'mmproj-BF16.gguf'],
      'Q4_K_XL',
      ['M-Q4_K_XL.gguf', projector],
    ],
    [
      'no projector where it is not clear which',
      ['M-Q8_0.gguf', 'mmproj-a.gguf', 'mmproj-b.gguf'],
      null,
      ['M-Q8_0.gguf'],
    ],
    ['a voice with the projector that makes its sound', qwenVoice, 'Q4_K_M', [qwenVoice[0], qwenVoice[2]]],
    ['a voice of one language', pocketVoices, 'pocket-tts-en', [pocketVoices[2], pocketVoices[3]]],
    ['a voice of another, in a folder', pocketVoices, 'pocket-tts-italian', pocketVoices.slice(0, 2)],
    ['the plain one of two', unsloth, 'Q4_K_XL', ['M-Q4_K_XL.gguf', projector]],
    ['the other one by its full name', unsloth, 'UD-Q4_K_XL', ['M-UD-Q4_K_XL.gguf', projector]],
    ['a file', bartowski, 'M-1B-f16.gguf', ['M-1B-f16.gguf']],
    [
      'a part stands for all',
      unsloth,
      'BF16/M-BF16-00002-of-00002.gguf',
      [...unsloth.slice(0, 2), projector],
    ],
    ['a whisper size', whisper, 'base', ['ggml-base.bin']],
    ['a whisper file', whisper, 'ggml-base.en.bin', ['ggml-base.en.bin']],
    ['the only one there is', ['x/anything.gguf'], null, ['x/anything.gguf']],
  ])('%s', (_what, paths, selector, expected) => {
    expect(choose(paths, selector)).toEqual(expected);
  });

  it.each([
    ['nothing of this name', bartowski, 'Q2_K', /nothing in it is called Q2_K/],
    ['several, none of them usual', whisper, null, /several models/],
    ['no models at all', ['model.safetensors'], null, /no GGUF/],
    ['a part that is missing', unsloth.slice(1), 'BF16', /2 parts, but only 1/],
  ])('refuses %s', (_what, paths, selector, message) => {
    expect(() => choose(paths, selector)).toThrow(message);
  });
});
