import { expect, it } from 'vitest';
import { memoryBudget } from '../../../../../src/engine/llama/loading/memory-budget.ts';
import { fitsInto } from '../../../../../src/engine/pool/memory-use.ts';

const settings = { memoryBytes: 1000, cacheMemoryBytes: 200 };
/** A GPU, of which there is none where tests run. */
const withGpu = (vramBytes: number, sharesMainMemory: boolean) => ({
  gpu: 'metal',
  vramBytes,
  sharesMainMemory,
});

it('gives a GPU of its own nine tenths of its memory, whatever main memory may be used', () => {
  const { models } = memoryBudget(withGpu(5000, false), settings);
  expect(models).toEqual({ ramBytes: 800, vramBytes: 4500 });
  expect(fitsInto(models, { ramBytes: 800, vramBytes: 4500 })).toBe(true);
});

it('counts both together where they are one memory', () => {
  const { models } = memoryBudget(withGpu(5000, true), settings);
  expect(models).toEqual({ ramBytes: 800, vramBytes: 800, sharedBytes: 800 });
  expect(fitsInto(models, { ramBytes: 300, vramBytes: 500 })).toBe(true);
  expect(fitsInto(models, { ramBytes: 300, vramBytes: 501 })).toBe(false);
  expect(fitsInto(models, { ramBytes: 300, vramBytes: 300 }, { ramBytes: 201, vramBytes: 0 })).toBe(false);
  expect(memoryBudget(withGpu(600, true), settings).models.vramBytes).toBe(540);
});
