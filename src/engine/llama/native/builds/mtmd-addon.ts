import type { Addon } from '../../../addons/addon.ts';

/** llama.cpp's library for pictures and sound, which the stepper loads where a model has a projector. */
export const mtmdAddon: Addon = {
  name: 'mtmd',
  sourceDir: 'src/engine/llama/native/mtmd',
  library: 'node-llama-cpp',
  isPlainLibrary: true,
};
