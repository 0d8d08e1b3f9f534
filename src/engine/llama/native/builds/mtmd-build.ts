import type { AddonBuild } from '../../../addons/build-addon.ts';
import { mtmdAddon } from './mtmd-addon.ts';
import { llamaSources } from './stepper-build.ts';

/** How libmtmd is compiled: from the sources of exactly the commit that llama.cpp's libraries were made from. */
export function mtmdBuild(): AddonBuild {
  return {
    addon: mtmdAddon,
    variant: 'all',
    cmakeSettings: (folder) => [`-DLLAMA_CPP_DIR=${llamaSources(folder)}`],
  };
}
