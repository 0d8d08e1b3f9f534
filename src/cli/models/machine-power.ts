import os from 'node:os';
import type { MachinePower } from '../../catalog/pulls/expected-speed.ts';
import { machineBytes } from '../../engine/llama/loading/memory-budget.ts';
import { askProgram, programBeside } from '../../engine/processes/watch-child.ts';
import type { Measured } from './machine-power-child.ts';

/** A machine that takes longer is busy with something else, and its speed would be measured wrong. */
const timeoutMs = 10_000;
const programPath = programBeside(import.meta.url, 'machine-power-child');

/**
 * What this machine has for models: its memory, cores and GPU, and how fast it reads memory, measured for about half a
 * second on all cores in a process of its own. Without a measurement the speed is undefined. Never rejects.
 */
export async function measureMachine(): Promise<MachinePower> {
  const unmeasured = {
    memoryBytes: machineBytes(),
    cores: os.availableParallelism(),
    memoryBytesPerSecond: undefined,
    gpu: undefined,
  };
  const end = await askProgram(programPath, [], { timeoutMs }).catch(() => undefined);
  return { ...unmeasured, ...(end?.message as Measured | undefined) };
}
