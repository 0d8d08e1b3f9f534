import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { MachinePower } from '../../catalog/pulls/expected-speed.ts';
import type { Config } from '../../config/types.ts';
import { machineBytes } from '../../engine/llama/loading/memory-budget.ts';
import { askProgram, programBeside } from '../../engine/processes/watch-child.ts';
import { makeFolder } from '../../private-files.ts';
import type { Measured } from './machine-power-child.ts';

/** A machine that takes longer is busy with something else, and its speed would be measured wrong. */
const timeoutMs = 30_000;
const programPath = programBeside(import.meta.url, 'machine-power-child');

/**
 * The power of this machine for models: memory, cores, GPU, and how fast it reads memory. That speed is measured once,
 * for about a second on all cores in a process of its own, and kept in the data folder, so that the same models are
 * recommended each time: other work of the machine changes it by half. Without a measurement it is undefined. Never
 * rejects.
 */
export async function measureMachine({ dataDir }: Pick<Config, 'dataDir'>): Promise<MachinePower> {
  const unmeasured = {
    memoryBytes: machineBytes(),
    cores: os.availableParallelism(),
    memoryBytesPerSecond: undefined,
    gpu: undefined,
  };
  const file = path.join(dataDir, 'machine.json');
  const kept = readSpeed(file);
  const known = kept === undefined ? [] : [String(kept)];
  const end = await askProgram(programPath, known, { timeoutMs }).catch(() => undefined);
  const measured = end?.message as Measured | undefined;
  if (measured !== undefined && kept === undefined) keepSpeed(file, measured.memoryBytesPerSecond);
  return { ...unmeasured, ...measured };
}

/** Another machine, or one with other parts, is measured anew. */
const machineName = (): string =>
  createHash('sha256')
    .update(JSON.stringify([os.hostname(), os.cpus()[0]?.model, os.availableParallelism(), os.totalmem()]))
    .digest('hex');

function readSpeed(file: string): number | undefined {
  try {
    const { machine, memoryBytesPerSecond } = JSON.parse(readFileSync(file, 'utf8')) as Record<
      string,
      unknown
    >;
    return machine === machineName() && typeof memoryBytesPerSecond === 'number'
      ? memoryBytesPerSecond
      : undefined;
  } catch {
    return undefined;
  }
}

function keepSpeed(file: string, memoryBytesPerSecond: number): void {
  try {
    makeFolder(path.dirname(file), 0o700);
    writeFileSync(file, JSON.stringify({ machine: machineName(), memoryBytesPerSecond }));
  } catch {
    // It is measured again the next time.
  }
}
