import type { Llama } from 'node-llama-cpp';
import { expect, it } from 'vitest';
import { memoryBudget } from '../../../../src/engine/llama/memory-budget.ts';
import { fitsInto } from '../../../../src/engine/pool/memory-use.ts';

const settings = { memoryBytes: 1000, cacheMemoryBytes: 200 };
/** Stands in for a GPU, of which there is none where tests run. */
const withGpu = (total: number, unifiedSize: number) =>
  ({
    gpu: 'metal',
    getVramState: async () => ({ total, used: 0, free: total, unifiedSize }),
  }) as unknown as Llama;

it('gives a GPU of its own nine tenths of its memory, whatever main memory may be used', async () => {
  const { models } = await memoryBudget(withGpu(5000, 0), settings);
  expect(models).toEqual({ ramBytes: 800, vramBytes: 4500 });
  expect(fitsInto(models, { ramBytes: 800, vramBytes: 4500 })).toBe(true);
});

it('counts both together where they are one memory', async () => {
  const { models } = await memoryBudget(withGpu(5000, 5000), settings);
  expect(models).toEqual({ ramBytes: 800, vramBytes: 800, sharedBytes: 800 });
  expect(fitsInto(models, { ramBytes: 300, vramBytes: 500 })).toBe(true);
  expect(fitsInto(models, { ramBytes: 300, vramBytes: 501 })).toBe(false);
  expect(fitsInto(models, { ramBytes: 300, vramBytes: 300 }, { ramBytes: 201, vramBytes: 0 })).toBe(false);
  expect((await memoryBudget(withGpu(600, 600), settings)).models.vramBytes).toBe(540);
});
