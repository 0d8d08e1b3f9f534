import { findAddon, notBuilt, type Addon } from '../../addons/addon.ts';
import { MachineTroubleError } from '../../model-check/trial.ts';

const gpuVariants = ['cuda', 'metal', 'vulkan'];

/** The speech engine: all of whisper.cpp, whose sources the npm package carries. */
export const whisperAddon: Addon = {
  name: 'whisper',
  sourceDir: 'src/engine/whisper/native',
  library: 'nodejs-whisper',
  specialVariants: gpuVariants,
};

/** No addon fits this machine and these sources, or it does not load. Clients are told the message, but no paths. */
export class AddonError extends MachineTroubleError {
  constructor(finding: string) {
    super(`on the server the speech engine is ${finding}; what to do there is told by: hearth doctor`);
  }
}

/** The addon for this machine and these sources; throws AddonError where there is none. */
export function addonFile(): string {
  const file = findAddon(whisperAddon);
  if (file === undefined) throw new AddonError(notBuilt);
  return file;
}

/** Whether the addon is made for a GPU, which models that may use one go to. Throws AddonError. */
export function isAddonForGpu(): boolean {
  const file = addonFile();
  return gpuVariants.some((variant) => file.endsWith(`-${variant}.node`));
}
