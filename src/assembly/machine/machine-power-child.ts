import os from 'node:os';
import { Worker } from 'node:worker_threads';
import type { GpuPower } from '../../catalog/pulls/expected-speed.ts';
import { inspectDevices, openLlama } from '../../engine/llama/open-llama.ts';
import { createLog } from '../../telemetry/log.ts';

export interface Measured {
  readonly cores: number;
  readonly memoryBytesPerSecond: number;
  readonly gpu: GpuPower | undefined;
}

/** More cores read no faster: they wait for memory. */
const maxReaders = 16;
/** Together far more than any processor's cache holds. */
const readBytes = 512 * 2 ** 20;
const maxReaderBytes = 64 * 2 ** 20;

async function measureMemory(): Promise<number> {
  const readers = Math.min(maxReaders, os.availableParallelism());
  const bytes = Math.min(maxReaderBytes, Math.floor(readBytes / readers));
  const url = new URL(import.meta.url.replace('machine-power-child', 'memory-reader'));
  const rates = await Promise.all(
    Array.from({ length: readers }, async () => {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      const worker = new Worker(url, { workerData: bytes });
      worker.once('message', resolve).once('error', reject);
      return await promise;
    }),
  );
  return rates.reduce((sum, rate) => sum + rate, 0);
}

async function inspectProcessors(): Promise<Pick<Measured, 'cores' | 'gpu'>> {
  const llama = await openLlama({
    gpu: 'auto',
    maxThreads: os.availableParallelism(),
    log: createLog({ level: 'silent' }),
  });
  const { gpu, gpuNames, vramBytes, mathCores: cores, sharesMainMemory } = await inspectDevices(llama);
  const [name = gpu] = gpuNames;
  return { cores, gpu: name === undefined ? undefined : { name, memoryBytes: vramBytes, sharesMainMemory } };
}

// One after the other: opening llama.cpp takes the cores that reading is measured on.
const processors = await inspectProcessors();
// The best of three: whatever else the machine does makes it slower, and never faster.
let memoryBytesPerSecond = Number(process.argv[2] ?? 0);
const rounds = memoryBytesPerSecond > 0 ? 0 : 3;
for (let round = 0; round < rounds; round += 1)
  memoryBytesPerSecond = Math.max(memoryBytesPerSecond, await measureMemory());
process.send?.({ ...processors, memoryBytesPerSecond } satisfies Measured);
