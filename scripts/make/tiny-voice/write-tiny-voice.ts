import type { WeightType } from '../tiny-model/gguf.ts';
import { buildPocketModel, buildPocketProjector, fullPocket, tinyPocket } from './pocket-voice.ts';
import { buildQwenModel, buildQwenProjector } from './qwen-voice.ts';
import { writeWhole } from '../write-whole.ts';

/** `pocket`: Pocket TTS, which needs somebody's voice; `qwen`: Qwen3-TTS, which can do without. */
export type VoiceFamily = 'pocket' | 'qwen';

export interface TinyVoiceOptions {
  readonly family: VoiceFamily;
  readonly seed?: number | undefined;
  /** `full`: the sizes of the Pocket TTS that people use; other families are tiny only. */
  readonly size?: 'tiny' | 'full' | undefined;
  /** Type of the matrices; convolutions are f16 mostly, whatever it is. */
  readonly weightType?: WeightType | undefined;
  /** False: speech ends by its budget only. */
  readonly endsByItself?: boolean | undefined;
}

export interface VoiceFiles {
  readonly model: string;
  readonly projector: string;
}

/** Resolves once both files are whole: each is written beside its place and then renamed into it. */
export async function writeTinyVoice(files: VoiceFiles, options: TinyVoiceOptions): Promise<void> {
  const { family, seed = 1, size = 'tiny', weightType: matrixType = 'f32', endsByItself = true } = options;
  if (family === 'qwen') {
    if (size === 'full')
      throw new RangeError('a Qwen3-TTS of full size has 2 billion weights: only tiny ones');
    const qwen = { seed, matrixType, endsByItself };
    await writeWhole(files.model, buildQwenModel(qwen));
    await writeWhole(files.projector, buildQwenProjector(qwen));
  } else {
    const pocket = { seed, sizes: size === 'full' ? fullPocket : tinyPocket, matrixType, endsByItself };
    await writeWhole(files.model, buildPocketModel(pocket));
    await writeWhole(files.projector, buildPocketProjector(pocket));
  }
}
