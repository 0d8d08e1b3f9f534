import { writeTinyVoice } from '../../../scripts/make/tiny-voice/write-tiny-voice.ts';
import type { TinyVoiceOptions, VoiceFiles } from '../../../scripts/make/tiny-voice/write-tiny-voice.ts';
import { cached, cachePath } from './tiny-model.ts';

/** Paths of a tiny model that speaks and of its projector, made on the first call and kept as `tinyModel` keeps its. */
export async function tinyVoice(options: TinyVoiceOptions): Promise<VoiceFiles> {
  const model = await cachePath('voice', options);
  const projector = model.replace(/gguf$/, 'mmproj.gguf');
  // The projector is written last: where it is, the model is too.
  await cached(projector, () => writeTinyVoice({ model, projector }, options));
  return { model, projector };
}
