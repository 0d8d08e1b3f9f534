import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { MemoryBudget } from '../../pool/memory-use.ts';
import type { ComputeDevices } from '../open-llama.ts';

/** The share of the machine's or container's memory that is used when nothing else is set. */
const ramShare = 0.75;
const cacheShare = 1 / 8;
/** The share of the GPU's memory that is used: the driver takes some, and the estimates do not count everything. */
const vramShare = 0.9;

export interface MemorySettings {
  /** For models and kept caches together; undefined: three quarters of the machine's memory. */
  readonly memoryBytes: number | undefined;
  /** Of it for the caches of idle conversations; undefined: an eighth. */
  readonly cacheMemoryBytes: number | undefined;
  /** Most of the memory of GPUs for models; undefined: nine tenths. */
  readonly gpuMemoryBytes?: number | undefined;
}

type GpuMemory = Pick<ComputeDevices, 'gpu' | 'vramBytes' | 'sharesMainMemory'>;

/** The memory for all models together, and beside it that for the kept caches of idle conversations. */
export function memoryBudget(
  { gpu, vramBytes: totalVramBytes, sharesMainMemory }: GpuMemory,
  settings: MemorySettings,
): { readonly models: MemoryBudget; readonly cacheBytes: number } {
  const ramBytes = settings.memoryBytes ?? Math.floor(machineBytes() * ramShare);
  const cacheBytes = Math.min(ramBytes, settings.cacheMemoryBytes ?? Math.floor(ramBytes * cacheShare));
  const models = { ramBytes: ramBytes - cacheBytes, vramBytes: 0 };
  if (gpu === undefined) return { models, cacheBytes };
  const vramBytes = Math.min(
    totalVramBytes,
    settings.gpuMemoryBytes ?? Math.floor(totalVramBytes * vramShare),
  );
  if (!sharesMainMemory) return { models: { ...models, vramBytes }, cacheBytes };
  // As on a Mac: the GPU takes its memory from main memory.
  const sharedBytes = models.ramBytes;
  return { models: { ...models, vramBytes: Math.min(vramBytes, sharedBytes), sharedBytes }, cacheBytes };
}

/** Caches leave 1/20 of the machine's memory free for other programs, at most 1 GiB. */
const reserveShare = 1 / 20;
const mostReserveBytes = 2 ** 30;

/** Bytes that caches of `usedBytes` may take, at most `mostBytes`, where the machine has `freeBytes` beside them. */
export function cacheBytesThatFit(
  mostBytes: number,
  { usedBytes, freeBytes, totalBytes }: Readonly<Record<'usedBytes' | 'freeBytes' | 'totalBytes', number>>,
): number {
  const reserveBytes = Math.min(mostReserveBytes, totalBytes * reserveShare);
  return Math.floor(Math.min(mostBytes, Math.max(0, usedBytes + freeBytes - reserveBytes)));
}

/** The memory of the machine, or the limit of the container that this runs in. */
export function machineBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem();
}

/** Bytes that programs can still have: the machine's, or those of the container around this process if they are fewer. */
export function availableBytes(root = '/'): number {
  const limit = process.constrainedMemory();
  const filesBytes = limit > 0 && limit < os.totalmem() ? bytesOfFiles(root) : undefined;
  if (filesBytes === undefined) return os.freemem();
  return Math.min(os.freemem(), process.availableMemory() + filesBytes);
}

/** Bytes of files that the container has read, which it gives back where programs need them; undefined: not told. */
function bytesOfFiles(root: string): number | undefined {
  try {
    const groups = readFileSync(path.join(root, 'proc/self/cgroup'), 'utf8');
    const [, controller = '', group = ''] = /^\d+:(memory)?:(.*)$/m.exec(groups) ?? [];
    const stat = readFileSync(path.join(root, 'sys/fs/cgroup', controller, group, 'memory.stat'), 'utf8');
    const counts = Array.from(stat.matchAll(/^(?:in)?active_file (\d+)$/gm), ([, bytes]) => Number(bytes));
    return counts.reduce((sum, bytes) => sum + bytes, 0);
  } catch {
    return undefined;
  }
}
