import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dependencyDir } from '../../addons/addon.ts';
import { runTool, type AddonBuild } from '../../addons/build-addon.ts';
import { stepperAddon } from './stepper-addon.ts';

/**
 * How the stepper is compiled: with node-llama-cpp's own headers, and with llama.cpp's of exactly the commit that its
 * libraries were made from. It carries that commit as a git bundle, of which a built hearth brings the headers alone.
 */
export function stepperBuild(): AddonBuild {
  const library = dependencyDir(stepperAddon.library);
  const source = join(library, 'llama');
  const nodeAddonApi = dependencyDir('node-addon-api', join(library, 'package.json'));
  return {
    addon: stepperAddon,
    variant: 'all',
    cmakeSettings(folder) {
      const extracted = join(source, 'headers');
      const headers = existsSync(extracted) ? extracted : folder;
      if (headers === folder) {
        runTool('git', ['clone', '--quiet', '--no-checkout', join(source, 'gitRelease.bundle'), folder]);
        runTool('git', ['-C', folder, 'checkout', '--quiet', 'HEAD', '--', 'include', 'ggml/include']);
      }
      return [
        `-DLLAMA_CPP_DIR=${headers}`,
        `-DNODE_LLAMA_CPP_DIR=${join(source, 'addon')}`,
        `-DNODE_ADDON_API_DIR=${nodeAddonApi}`,
      ];
    },
  };
}
