import { readDimensions } from './model-file.ts';
import { loadAddon, loadSpeechModel } from './addon/native.ts';

/**
 * Loads the speech model at `path` and sets up a transcription, so that a damaged file crashes here and not later. For a
 * process of its own. Throws what is wrong with the file, or MachineTroubleError where there is no speech engine that
 * could try it.
 */
export async function tryWhisperModel(path: string): Promise<undefined> {
  loadAddon();
  readDimensions(path);
  const model = await loadSpeechModel(path, { useGpu: false });
  const session = await model.openSession();
  await session.release();
  await model.release();
  return undefined;
}
