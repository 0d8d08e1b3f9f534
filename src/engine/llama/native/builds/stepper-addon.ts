import type { Addon } from '../../../addons/addon.ts';

/** Decodes and draws in one job, on contexts of its own. */
export const stepperAddon: Addon = {
  name: 'stepper',
  sourceDir: 'src/engine/llama/native/stepper',
  library: 'node-llama-cpp',
};
