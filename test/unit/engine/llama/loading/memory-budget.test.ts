import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CacheMemory } from '../../../../../src/engine/llama/caches/cache-memory.ts';
import {
  cacheBytesThatFit,
  availableBytes,
  memoryBudget,
} from '../../../../../src/engine/llama/loading/memory-budget.ts';
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

it('gives a GPU no more than is set, and no more than it has', () => {
  const vramOf = (gpuMemoryBytes: number) =>
    memoryBudget(withGpu(5000, false), { ...settings, gpuMemoryBytes }).models.vramBytes;
  expect([0, 4900, 6000].map(vramOf)).toEqual([0, 4900, 5000]);
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

  it('has caches go, the oldest first, while another program takes memory, and not come back by themselves', () => {
    const memory = new CacheMemory(3 * gib);
    const kept = new Set<number>();
    for (let each = 0; each < 12; each += 1) {
      kept.add(each);
      memory.add({ bytes: gib / 4, drop: () => kept.delete(each) });
    }
    const totalBytes = 16 * gib;
    const [others, reserve] = [8 * gib, 0.8 * gib];
    const left = [0, 4, 4.5, 5.25, 6, 7, 9, 0].map((taken) => {
      const freeNow = Math.max(0, totalBytes - others - memory.usedBytes - taken * gib);
      const machine = { usedBytes: memory.usedBytes, freeBytes: freeNow, totalBytes };
      memory.resize(cacheBytesThatFit(3 * gib, machine));
      const isFree = totalBytes - others - memory.usedBytes - taken * gib >= reserve;
      expect(isFree || memory.usedBytes === 0, `${taken} GiB`).toBe(true);
      expect([...kept]).toEqual(Array.from({ length: kept.size }, (_, index) => 12 - kept.size + index));
      return kept.size;
    });
    expect(left).toEqual([12, 12, 10, 7, 4, 0, 0, 0]);
  });
}); // prettier-ignore

describe('availableBytes', () => {
  const gib = 2 ** 30;
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(path.join(os.tmpdir(), 'hearth-memory-'));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    rmSync(root, { recursive: true });
  });

  it.each([
    ['0::/system.slice/hearth.service\n', 'system.slice/hearth.service'],
    ['0::/\n', ''],
    ['9:name=systemd:/\n4:memory:/docker/abc\n0::/\n', 'memory/docker/abc'],
  ])('counts what a container has left, and the files it has read, as others may have it: %j', (groups, folder) => {
    const write = (file: string, text: string) => {
      mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
      writeFileSync(path.join(root, file), text);
    };
    write('proc/self/cgroup', groups);
    write(`sys/fs/cgroup/${folder}/memory.stat`, `anon 9\ninactive_file ${gib / 8}\nactive_file ${gib / 8}\ntotal_active_file 7\n`);
    vi.spyOn(os, 'freemem').mockReturnValue(9 * gib);
    vi.spyOn(process, 'availableMemory').mockReturnValue(gib);
    const limit = vi.spyOn(process, 'constrainedMemory').mockReturnValue(4 * gib);
    vi.spyOn(os, 'totalmem').mockReturnValue(16 * gib);
    expect(availableBytes(root)).toBe(1.25 * gib);
    // No limit is 0, or more than there is. A missing number is taken from the machine.
    for (const none of [0, 2 ** 63]) {
      limit.mockReturnValue(none);
      expect(availableBytes(root)).toBe(9 * gib);
    }
    limit.mockReturnValue(4 * gib);
    expect(availableBytes(path.join(root, 'nowhere'))).toBe(9 * gib);
  });
}); // prettier-ignore
