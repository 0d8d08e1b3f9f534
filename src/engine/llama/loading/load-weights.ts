import type { Llama, LlamaModel } from 'node-llama-cpp';
import type { Log } from '../../../telemetry/log.ts';
import { formatBytes } from '../../../words/format-bytes.ts';
import type { FileModelSpec } from '../../model-backend.ts';
import { DeviceFullError } from '../../pool/loadable.ts';
import type { ContextAddon } from '../native/context-addon.ts';
import { loadedAddonFile } from '../native/loaded-addon-file.ts';
import { mapsWeights, nativeModelOf } from '../native/model.ts';
import { contextAddon } from '../native/stepper.ts';
import type { ChosenLoad } from './plan-load.ts';

/**
 * The model of `spec` with its weights where `chosen` wants them. Throws DeviceFullError where there is no memory for
 * them, the reason of `signal`, or an error of node-llama-cpp.
 */
export async function loadWeights(
  llama: Llama,
  { id, path: modelPath }: FileModelSpec,
  chosen: ChosenLoad,
  log: Log,
  loadSignal: AbortSignal,
): Promise<LlamaModel> {
  const { gpuLayers } = chosen;
  const onTenth = (tenth: number) => log.debug({ model: id, percent: tenth * 10 }, 'loading model');
  const options = { modelPath, gpuLayers, useMmap: mapsWeights };
  const addon = contextAddon();
  if (addon === undefined)
    return await llama.loadModel({ ...options, loadSignal, onLoadProgress: inTenths(onTenth) });
  await mustHaveRoom(llama, chosen);
  const model = await llama.loadModel({ ...options, vocabOnly: true, ignoreMemorySafetyChecks: true });
  const load = addon.newLoad();
  const giveUp = () => addon.giveUpLoad(load);
  loadSignal.addEventListener('abort', giveUp);
  try {
    loadSignal.throwIfAborted();
    await addon.load(load, loadedAddonFile(), nativeModelOf(model), modelPath, chosen, onTenth);
    loadSignal.throwIfAborted();
    return model;
  } catch (cause) {
    await model.dispose();
    loadSignal.throwIfAborted();
    throw (await isReadable(addon, modelPath, chosen))
      ? new DeviceFullError('there is not enough memory for its weights', { cause })
      : cause;
  } finally {
    loadSignal.removeEventListener('abort', giveUp);
  }
}

/** Hears how large a share is loaded, and calls `onTenth` for each tenth. */
function inTenths(onTenth: (tenth: number) => void): (share: number) => void {
  let told = 0;
  return (share) => {
    const tenth = Math.floor(share * 10);
    if (tenth > told) onTenth((told = tenth));
  };
}

/** Throws where the GPU has less memory free than the model needs there, because other programs have taken it. */
async function mustHaveRoom(llama: Llama, { gpuLayers, memory: { vramBytes } }: ChosenLoad): Promise<void> {
  if (gpuLayers === 0) return;
  const { free } = await llama.getVramState();
  if (free < vramBytes)
    throw new DeviceFullError(
      `the GPU has ${formatBytes(free)} of memory free, and it needs ${formatBytes(vramBytes)} there`,
    );
}

/** Whether llama.cpp can read the file, so that only memory was missing to load it: it may be cut by now. */
async function isReadable(addon: ContextAddon, path: string, chosen: ChosenLoad): Promise<boolean> {
  try {
    await addon.closeLayout(await addon.layOut(loadedAddonFile(), path, chosen));
    return true;
  } catch {
    return false;
  }
}
