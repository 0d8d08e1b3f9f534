/**
 * Gets llama.cpp's builds for the GPU at the end of every `npm install`, where there is one. HEARTH_GPU names the kinds
 * to get instead: cuda, vulkan, both with a comma, or none. Plain JavaScript, as addons.mjs.
 */
import { existsSync } from 'node:fs';

const folder = ['../../src/engine/llama/gpu/', '../../dist/engine/llama/gpu/']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url));

try {
  if (folder === undefined) throw new Error('neither src nor dist is here');
  const ending = folder.pathname.includes('/src/') ? 'ts' : 'js';
  const { examineGpu, gpuKinds } = await import(new URL(`gpu-packages.${ending}`, folder).href);
  const { installGpu } = await import(new URL(`install-gpu.${ending}`, folder).href);
  const named = process.env['HEARTH_GPU'];
  const { kinds, missing } = named === undefined ? await examineGpu() : { kinds: [], missing: [] };
  const wanted = missing.length > 0 ? kinds : gpuKinds.filter((kind) => named?.split(',').includes(kind));
  if (wanted.length > 0) console.log(`For the GPU: ${installGpu(wanted).join(', ')}`);
} catch (error) {
  console.error(`The GPU will not be used: ${error instanceof Error ? error.message : String(error)}`);
  console.error('Models run on the processor. Another attempt: hearth gpu install');
}
