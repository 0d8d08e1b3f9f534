import type { Addon } from '../../../addons/addon.ts';

/** Decodes and draws in one job, on contexts of its own. */
export const stepperAddon: Addon = {
  name: 'stepper',
  sourceDir: 'src/engine/llama/native/stepper',
  library: 'node-llama-cpp',
};

/** llama.cpp's library for pictures and sound, which the stepper loads where a model has a projector. */
export const mtmdAddon: Addon = {
  name: 'mtmd',
  sourceDir: 'src/engine/llama/native/mtmd',
  library: 'node-llama-cpp',
  isPlainLibrary: true,
};
