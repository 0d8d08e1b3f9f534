import { describe, expect, it } from 'vitest';
import { cacheBytesThatFit, memoryBudget } from '../../../../../src/engine/llama/loading/memory-budget.ts';
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

describe('cacheBytesThatFit', () => {
  const gib = 2 ** 30;
  it.each([
    { what: 'much is free', usedBytes: 2 * gib, freeBytes: 10 * gib, totalBytes: 64 * gib, fit: 3 * gib },
    { what: 'they could not grow to their most', usedBytes: gib, freeBytes: 2 * gib, totalBytes: 64 * gib, fit: 2 * gib },
    { what: 'the reserve is begun', usedBytes: 2 * gib, freeBytes: gib / 2, totalBytes: 64 * gib, fit: 1.5 * gib },
    { what: 'nothing is left', usedBytes: gib / 2, freeBytes: 0, totalBytes: 64 * gib, fit: 0 },
    { what: 'the machine is small', usedBytes: 0, freeBytes: gib / 4, totalBytes: 2 * gib, fit: Math.floor(gib / 4 - gib / 10) },
  ])('leaves other programs a reserve: $what', ({ fit, what: _what, ...machine }) => {
    expect(cacheBytesThatFit(3 * gib, machine)).toBe(fit);
  });
}); // prettier-ignore
