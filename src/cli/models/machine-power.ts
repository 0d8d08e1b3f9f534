import { fork } from 'node:child_process';
import os from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MachinePower } from '../../catalog/pulls/expected-speed.ts';
import { childEnvironment } from '../../engine/processes/child-environment.ts';
import type { Measured } from './machine-power-child.ts';

/** A machine that takes longer is busy with something else, and its speed would be measured wrong. */
const timeoutMs = 10_000;

/**
 * What this machine has for models: its memory, cores and GPU, and how fast it reads memory, measured for about half a
 * second on all cores in a process of its own. Without a measurement the speed is undefined. Never rejects.
 */
export async function measureMachine(): Promise<MachinePower> {
  const unmeasured = {
    memoryBytes: machineMemoryBytes(),
    cores: os.availableParallelism(),
    memoryBytesPerSecond: undefined,
    gpu: undefined,
  };
  const measured = await runChild();
  return { ...unmeasured, ...measured };
}

/** undefined where the process did not answer. */
function runChild(): Promise<Measured | undefined> {
  const path = fileURLToPath(new URL(`./machine-power-child${extname(import.meta.url)}`, import.meta.url));
  const child = fork(path, [], {
    execArgv: [],
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    const end = (measured?: Measured): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      resolve(measured);
    };
    child.once('message', (message) => end(message as Measured));
    child.once('error', () => end());
    child.once('close', () => end());
  });
}

/** Main memory of this machine, or of the container that this runs in, in bytes. */
function machineMemoryBytes(): number {
  // Without a limit it is 0, or more than any machine has.
  const constrainedBytes = process.constrainedMemory();
  return constrainedBytes > 0 ? Math.min(constrainedBytes, os.totalmem()) : os.totalmem();
}
