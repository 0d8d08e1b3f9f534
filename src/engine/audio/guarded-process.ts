import { spawn } from 'node:child_process';
import { childEnvironment } from '../processes/child-environment.ts';
import { residentBytes } from '../processes/resident-bytes.ts';

/** A program with its arguments; no shell sees them. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

export interface ProcessLimits {
  readonly timeoutMs: number;
  /** Limit of the resident memory; checked on Linux only. */
  readonly memoryBytes: number;
}

export interface ProcessEnd {
  /** null when a signal ended it. */
  readonly exitCode: number | null;
  /** What ended it; null when it exited. */
  readonly exitSignal: NodeJS.Signals | null;
  /** Why it was stopped; undefined when it ended by itself. `unwanted`: `onOutput` wanted no more. */
  readonly stopped: 'timeout' | 'memory' | 'unwanted' | undefined;
  /** The last of what it wrote to stderr. */
  readonly diagnostics: string;
}

const memoryPollMs = 200;
const maxDiagnosticChars = 4096;

/**
 * How a process of its own for untrusted work ended. It is killed at its limits and when `signal` aborts. `onOutput`
 * gets its stdout and returns false when that is enough. When this settles the process is gone. Throws `signal`'s
 * reason, or the system's error when the program cannot be started.
 */
export async function runGuarded(
  { file, args }: Command,
  limits: ProcessLimits,
  signal: AbortSignal,
  onOutput: (chunk: Buffer) => boolean,
): Promise<ProcessEnd> {
  signal.throwIfAborted();
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: childEnvironment(),
    windowsHide: true,
  });
  let stopped: ProcessEnd['stopped'];
  const stop = (reason: ProcessEnd['stopped']): void => {
    stopped ??= reason;
    child.kill('SIGKILL');
  };
  let diagnostics = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (stopped === undefined && !onOutput(chunk)) stop('unwanted');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    diagnostics = (diagnostics + text).slice(-maxDiagnosticChars);
  });
  const onAbort = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => stop('timeout'), limits.timeoutMs);
  const watch = setInterval(() => {
    void residentBytes(child.pid).then((bytes) => bytes > limits.memoryBytes && stop('memory'));
  }, memoryPollMs);
  try {
    const end = await new Promise<Pick<ProcessEnd, 'exitCode' | 'exitSignal'>>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (exitCode, exitSignal) => resolve({ exitCode, exitSignal }));
    });
    signal.throwIfAborted();
    return { ...end, stopped, diagnostics };
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal.removeEventListener('abort', onAbort);
  }
}
