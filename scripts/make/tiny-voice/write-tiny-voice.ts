import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { WeightType } from '../tiny-model/gguf.ts';
import { buildPocketModel, buildPocketProjector, fullPocket, tinyPocket } from './pocket-voice.ts';

export interface TinyVoiceOptions {
  readonly family?: 'pocket' | undefined;
  readonly seed?: number | undefined;
  /** `full`: the sizes of the model that people use. */
  readonly size?: 'tiny' | 'full' | undefined;
  /** Type of the matrices; convolutions are f16 always. */
  readonly weightType?: WeightType | undefined;
  /** False: speech ends by its budget only. */
  readonly endsByItself?: boolean | undefined;
}

export interface VoiceFiles {
  readonly model: string;
  readonly projector: string;
}

/** Resolves once both files are whole: each is written beside its place and then renamed into it. */
export async function writeTinyVoice(files: VoiceFiles, options: TinyVoiceOptions = {}): Promise<void> {
  const { seed = 1, weightType = 'f32', endsByItself = true } = options;
  const sizes = options.size === 'full' ? fullPocket : tinyPocket;
  const pocket = { seed, sizes, matrixType: weightType, endsByItself };
  await writeWhole(files.model, buildPocketModel(pocket));
  await writeWhole(files.projector, buildPocketProjector(pocket));
}

async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporaryPath = `${path}.${process.pid}.tmp`;
  await writeFile(temporaryPath, bytes);
  await rename(temporaryPath, path);
}
