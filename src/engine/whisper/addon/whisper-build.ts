import { join } from 'node:path';
import { dependencyDir } from '../../addons/addon.ts';
import { BuildError, type AddonBuild } from '../../addons/build-addon.ts';
import { whisperAddon } from './addon-file.ts';

/** The values of HEARTH_WHISPER_GPU at installation, each with whisper.cpp's switches for it. */
const gpuSwitches: Readonly<Record<string, readonly string[]>> = {
  none: ['-DGGML_METAL=OFF'],
  cuda: ['-DGGML_CUDA=ON'],
  metal: ['-DGGML_METAL=ON', '-DGGML_METAL_EMBED_LIBRARY=ON'],
  vulkan: ['-DGGML_VULKAN=ON'],
};

/** How the speech engine is compiled. Throws BuildError where the environment asks for a GPU that it does not know. */
export function whisperBuild(env: NodeJS.ProcessEnv): AddonBuild {
  const gpu = env['HEARTH_WHISPER_GPU'] || 'none';
  const gpuSwitch = gpuSwitches[gpu];
  if (gpuSwitch === undefined) {
    const known = Object.keys(gpuSwitches).join(', ');
    throw new BuildError(`HEARTH_WHISPER_GPU must be one of ${known}, not "${gpu}"`);
  }
  const sources = join(dependencyDir(whisperAddon.library), 'cpp/whisper.cpp');
  return {
    addon: whisperAddon,
    variant: gpu,
    cmakeSettings: () => [...gpuSwitch, `-DWHISPER_CPP_DIR=${sources}`],
  };
}
