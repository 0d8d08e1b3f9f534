import { expect, it } from 'vitest';
import { combineMemory, formatMemory, sumMemory } from '../../../../src/engine/pool/memory-use.ts';
import { formatPlace } from '../../../../src/engine/pool/model-place.ts';

it.each([
  [{ gpuLayers: 0, expertLayers: 0 }, 'on the processor'],
  [{ gpuLayers: 29, expertLayers: 0 }, 'all 29 layers on the GPU'],
  [{ gpuLayers: 29, expertLayers: 4 }, 'all 29 layers on the GPU, the experts of 4 in main memory'],
  [{ gpuLayers: 12, expertLayers: 0, projectorOnGpu: true }, '12 of 29 layers on the GPU'],
  [
    { gpuLayers: 12, expertLayers: 0, projectorOnGpu: false },
    '12 of 29 layers on the GPU, its projector on the processor',
  ],
  [{ gpuLayers: 0, expertLayers: 0, projectorOnGpu: true }, 'on the processor, its projector on the GPU'],
  [{ gpuLayers: 0, expertLayers: 0, projectorOnGpu: false }, 'on the processor'],
])('says of %j that it runs %s', (place, text) => {
  expect(formatPlace({ layers: 29, ...place })).toBe(text);
});

it('keeps the memory of each GPU apart', () => {
  const large = { ramBytes: 1e9, vramBytes: 3e9, gpus: { Large: 2e9, Small: 1e9 } };
  const small = { ramBytes: 0, vramBytes: 5e8, gpus: { Small: 5e8 } };
  const sum = sumMemory([large, { ramBytes: 1e9, vramBytes: 0 }, small]);
  expect(sum).toEqual({ ramBytes: 2e9, vramBytes: 3.5e9, gpus: { Large: 2e9, Small: 1.5e9 } });
  expect(combineMemory(sum, small, (a, b) => a - b).gpus).toEqual({ Large: 2e9, Small: 1e9 });
  expect(formatMemory(sum)).toBe('2.0 GB, 2.0 GB on Large and 1.5 GB on Small');
  expect(formatMemory(small)).toBe('0 B and 500 MB on the GPU');
  expect(formatMemory({ ramBytes: 1e9, vramBytes: 0 })).toBe('1.0 GB');
});
