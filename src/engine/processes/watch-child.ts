import { fork, type ChildProcess } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuTimeMs, residentBytes } from './process-usage.ts';

/** Signals that a program causes by its own faults. All others are sent to it by the system, a terminal or a user. */
export const crashSignals: ReadonlySet<NodeJS.Signals> = new Set([
  'SIGSEGV',
  'SIGABRT',
  'SIGBUS',
  'SIGILL',
  'SIGFPE',
  'SIGTRAP',
]);

/** Messages of C++ and V8 when they get no memory. */
export const memoryTrouble = /out of memory|bad_alloc/i;

export interface ChildLimits {
  /** Limit of elapsed time; undefined: as long as it takes. */
  readonly timeoutMs?: number;
  /** Limit of processor time, looked at again and again; of elapsed time where the system does not tell the other. */
  readonly cpuMs?: number;
  /** Limit of the resident memory; checked on Linux only. */
  readonly memoryBytes?: number;
  /** Its abort stops the process. */
  readonly signal?: AbortSignal | undefined;
  /** How it is stopped; default: at once. */
  readonly stopSignal?: NodeJS.Signals;
}

export interface ChildEnd {
  /** null when a signal ended it. */
  readonly exitCode: number | null;
  /** The signal that ended it; null when it exited. */
  readonly exitSignal: NodeJS.Signals | null;
  /** The limit at which it was stopped; undefined when it ended by itself, or by the abort of the signal. */
  readonly stopped: 'processor-time' | 'timeout' | 'memory' | undefined;
  /** The end of its stderr. */
  readonly diagnostics: string;
}

const withheld = /^(?:HEARTH_API_KEY|HF_TOKEN|NODE_OPTIONS|VITEST.*)$/;
const pollMs = 200;
const maxDiagnosticChars = 4096;

/**
 * The environment for a process that handles untrusted files: without secrets, and without settings for Node. Where it
 * aborts, llama.cpp does not have a debugger print its stacks, which takes seconds and hides why.
 */
export function childEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !withheld.test(name));
  return { ...Object.fromEntries(kept), GGML_NO_BACKTRACE: '1' };
}

/** Path of the program `name` in the folder of the module whose `import.meta.url` is given: source or built. */
export function programBeside(moduleUrl: string, name: string): string {
  return fileURLToPath(new URL(`./${name}${extname(moduleUrl)}`, moduleUrl));
}

/** Stops the children that run now. */
const running = new Set<() => void>();
// A child in an endless loop does not notice that its parent is gone.
process.on('exit', () => {
  for (const stop of running) stop();
});

/** How `child` ended, which is stopped at its limits. Rejects with the system's error when it cannot be started. */
export async function watchChild(child: ChildProcess, limits: ChildLimits = {}): Promise<ChildEnd> {
  const { timeoutMs, memoryBytes = Infinity, signal, stopSignal = 'SIGKILL' } = limits;
  const startedAtMs = performance.now();
  let stopped: ChildEnd['stopped'];
  let diagnostics = '';
  const stop = (): void => void child.kill(stopSignal);
  const stopAt = (limit: ChildEnd['stopped']): void => {
    stopped ??= limit;
    stop();
  };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    diagnostics = (diagnostics + text).slice(-maxDiagnosticChars);
  });
  if (signal?.aborted === true) stop();
  signal?.addEventListener('abort', stop, { once: true });
  running.add(stop);
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => stopAt('timeout'), timeoutMs);
  const look = async (): Promise<void> => {
    if (memoryBytes < Infinity && (await residentBytes(child.pid)) > memoryBytes) stopAt('memory');
    if (limits.cpuMs === undefined) return;
    const spentMs = (await cpuTimeMs(child.pid)) ?? performance.now() - startedAtMs;
    if (spentMs > limits.cpuMs) stopAt('processor-time');
  };
  const watch = setInterval(() => void look(), pollMs);
  if (memoryBytes === Infinity && limits.cpuMs === undefined) clearInterval(watch);
  try {
    return await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.once('close', (exitCode, exitSignal) => resolve({ exitCode, exitSignal, stopped, diagnostics }));
    });
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal?.removeEventListener('abort', stop);
    running.delete(stop);
  }
}

/**
 * How the program at `path` ended, and its first message that is no answer to `isProgress`, after which it is killed;
 * undefined: it sent none. Rejects as `watchChild`.
 */
export async function askProgram(
  path: string,
  args: readonly string[],
  limits: ChildLimits,
  isProgress: (message: unknown) => boolean = () => false,
): Promise<ChildEnd & { readonly message: unknown }> {
  const stdio = ['ignore', 'ignore', 'pipe', 'ipc'] as const;
  const child = fork(path, args, { execArgv: [], env: childEnvironment(), stdio: [...stdio] });
  let message: unknown;
  child.on('message', (received) => {
    if (message !== undefined || isProgress(received)) return;
    message = received;
    // The answer is there, and freeing a model has crashed before.
    child.kill('SIGKILL');
  });
  const end = await watchChild(child, limits);
  return { ...end, message };
}
