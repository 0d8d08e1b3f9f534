import { spawn } from 'node:child_process';
import { childEnvironment, watchChild, type ChildEnd, type ChildLimits } from '../processes/watch-child.ts';

/** A program with its arguments; no shell sees them. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

export interface ProcessEnd extends Omit<ChildEnd, 'stopped'> {
  /** Why it was stopped; undefined when it ended by itself. `unwanted`: `onOutput` wanted no more. */
  readonly stopped: ChildEnd['stopped'] | 'unwanted';
}

/**
 * How a process of its own for untrusted work ended. It is killed at its limits and when `signal` aborts. `onOutput`
 * gets its stdout and returns false when that is enough. When this settles the process is gone. Throws `signal`'s
 * reason, or the system's error when the program cannot be started.
 */
export async function runGuarded(
  { file, args }: Command,
  limits: Required<Pick<ChildLimits, 'timeoutMs' | 'memoryBytes'>>,
  signal: AbortSignal,
  onOutput: (chunk: Buffer) => boolean,
): Promise<ProcessEnd> {
  signal.throwIfAborted();
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: childEnvironment(),
    windowsHide: true,
  });
  let isEnough = false;
  child.stdout.on('data', (chunk: Buffer) => {
    if (isEnough || onOutput(chunk)) return;
    isEnough = true;
    child.kill('SIGKILL');
  });
  const end = await watchChild(child, { ...limits, signal });
  signal.throwIfAborted();
  return { ...end, stopped: isEnough ? 'unwanted' : end.stopped };
}
