import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dependencyDir } from '../../../addons/addon.ts';
import { runTool, type AddonBuild } from '../../../addons/build-addon.ts';
import { stepperAddon, mtmdAddon } from './stepper-addon.ts';

/** Where a packed hearth has the sources of llama.cpp in place of its history, in node-llama-cpp's folder. */
export const packedSources = 'llama/sources';

/** llama.cpp's headers, and the parts of libmtmd that ../mtmd/CMakeLists.txt names. */
const neededSources = [
  'include',
  'ggml/include',
  'src/llama-ext.h',
  ...['*.cpp', '*.h', 'models', 'debug/*.h'].map((path) => `tools/mtmd/${path}`),
];

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
    cmakeSettings: (folder) => [
      `-DLLAMA_CPP_DIR=${llamaSources(folder)}`,
      `-DNODE_LLAMA_CPP_DIR=${join(library, 'llama/addon')}`,
      `-DNODE_ADDON_API_DIR=${nodeAddonApi}`,
    ],
  };
}

/** Folder of the needed sources of llama.cpp: the package's own, else `folder`, which is empty before. */
export function llamaSources(folder: string): string {
  const packed = join(dependencyDir(stepperAddon.library), packedSources);
  if (existsSync(packed)) return packed;
  unpackSources(folder);
  return folder;
}

/**
 * Puts the needed sources of llama.cpp into an empty folder: node-llama-cpp carries the commit that its libraries were
 * made from as a git bundle. Throws BuildError, as where git is missing.
 */
export function unpackSources(folder: string): void {
  const bundle = join(dependencyDir(stepperAddon.library), 'llama/gitRelease.bundle');
  runTool('git', ['clone', '--quiet', '--no-checkout', bundle, folder]);
  runTool('git', ['-C', folder, 'checkout', '--quiet', 'HEAD', '--', ...neededSources]);
}

/** How libmtmd is compiled: from the sources of exactly the commit that llama.cpp's libraries were made from. */
export function mtmdBuild(): AddonBuild {
  return {
    addon: mtmdAddon,
    variant: 'all',
    cmakeSettings: (folder) => [`-DLLAMA_CPP_DIR=${llamaSources(folder)}`],
  };
}
