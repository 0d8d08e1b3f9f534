import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dependencyDir } from '../../addons/addon.ts';
import { runTool, type AddonBuild } from '../../addons/build-addon.ts';
import { stepperAddon } from './stepper-addon.ts';

/** Where a packed hearth has llama.cpp's headers in place of its history, in node-llama-cpp's folder. */
export const packedHeaders = 'llama/headers';

/**
 * How the stepper is compiled: with node-llama-cpp's own headers, and with llama.cpp's of exactly the commit that its
 * libraries were made from.
 */
export function stepperBuild(): AddonBuild {
  const library = dependencyDir(stepperAddon.library);
  const nodeAddonApi = dependencyDir('node-addon-api', join(library, 'package.json'));
  return {
    addon: stepperAddon,
    variant: 'all',
    cmakeSettings(folder) {
      const packed = join(library, packedHeaders);
      const isPacked = existsSync(packed);
      if (!isPacked) unpackHeaders(folder);
      return [
        `-DLLAMA_CPP_DIR=${isPacked ? packed : folder}`,
        `-DNODE_LLAMA_CPP_DIR=${join(library, 'llama/addon')}`,
        `-DNODE_ADDON_API_DIR=${nodeAddonApi}`,
      ];
    },
  };
}

/**
 * Puts llama.cpp's headers into an empty folder: node-llama-cpp carries the commit that its libraries were made from as
 * a git bundle. Throws BuildError, as where git is missing.
 */
export function unpackHeaders(folder: string): void {
  const bundle = join(dependencyDir(stepperAddon.library), 'llama/gitRelease.bundle');
  runTool('git', ['clone', '--quiet', '--no-checkout', bundle, folder]);
  runTool('git', ['-C', folder, 'checkout', '--quiet', 'HEAD', '--', 'include', 'ggml/include']);
}
