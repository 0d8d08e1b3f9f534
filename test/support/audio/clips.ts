import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { toMono } from '../../../src/engine/audio/built-in/wav-samples.ts';

/** Sentences that hearth-demo-ears was not trained on, by voices that it was not trained on. */
export const clips = [
  {
    file: 'andrea.wav',
    said: 'Set the alarm for half past two tomorrow.',
    startSeconds: 0.26,
    endSeconds: 2.32,
  },
  { file: 'rms.wav', said: 'Count from fourteen to eighty six.', startSeconds: 0.74, endSeconds: 2.84 },
  { file: 'ked.wav', said: 'Have a good morning.', startSeconds: 0.75, endSeconds: 1.74 },
] as const;

export type ClipFile = (typeof clips)[number]['file'];

export const clipPath = (file: ClipFile): string => fileURLToPath(new URL(`clips/${file}`, import.meta.url));

/** The samples of a clip, 16,000 a second, -1..1: 16 bits each behind a header of 44 bytes. */
export function readClip(file: ClipFile): Float32Array {
  return toMono(readFileSync(clipPath(file)).subarray(44), 'signed-16', 1);
}
