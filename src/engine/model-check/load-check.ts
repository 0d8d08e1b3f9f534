import { fork, type ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { constants as osConstants } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../processes/child-environment.ts';
import { crashSignals } from '../processes/crash-signals.ts';
import { memoryTrouble } from './machine-trouble.ts';

/** Whether a model file can be loaded without harm. */
export type Verdict =
  | { readonly loadable: true }
  | {
      readonly loadable: false;
      readonly reason: string;
      /** The machine was at fault rather than the file (too slow, out of memory, no speech engine): worth another try. */
      readonly transient: boolean;
      /** It did not end in time: the next try will cost as much. */
      readonly timedOut?: boolean;
      /** When the file may be tried again, by `Date.now()`; undefined: at any time. */
      readonly retryAtMs?: number;
    };

/** What the process that tries a file sends to its parent. */
export type LoadCheckMessage =
  | { readonly loadable: true }
  | { readonly loadable: false; readonly reason: string; readonly transient: boolean };

export interface CheckOptions {
  /** Default: a minute, and more for large files. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const baseTimeoutMs = 60_000;
/** A slow disk: the check reads a file once as a whole. */
const slowestReadBytesPerMs = 20_000;
const maxDiagnosticBytes = 8192;

/**
 * Loads the file in a short-lived process of its own, decodes a token, tokenises a text and renders with the
 * chat template all that loading renders: what crashes or never ends there does no harm here. Rejects only when
 * `signal` aborts.
 */
export async function checkModelFile(path: string, options: CheckOptions = {}): Promise<Verdict> {
  const { signal } = options;
  signal?.throwIfAborted();
  let sizeBytes: number;
  try {
    sizeBytes = statSync(path).size;
  } catch (error) {
    return { loadable: false, reason: `the file cannot be opened: ${messageOf(error)}`, transient: true };
  }
  const timeoutMs = options.timeoutMs ?? baseTimeoutMs + sizeBytes / slowestReadBytesPerMs;
  const childPath = fileURLToPath(new URL(`./load-check-child${extname(import.meta.url)}`, import.meta.url));
  const child = fork(childPath, [path], {
    execArgv: [],
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  return await awaitVerdict(child, timeoutMs, signal);
}

function awaitVerdict(
  child: ChildProcess,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    let message: LoadCheckMessage | undefined;
    let timedOut = false;
    let diagnostics = '';
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    const kill = (): void => void child.kill('SIGKILL');
    signal?.addEventListener('abort', kill, { once: true });
    // One that is caught in a loop does not notice that its parent is gone.
    process.once('exit', kill);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      diagnostics = (diagnostics + text).slice(-maxDiagnosticBytes);
    });
    child.on('message', (received) => {
      message = received as LoadCheckMessage;
      // Its work is done, and tearing a model down has crashed before.
      child.kill('SIGKILL');
    });
    const cleanUp = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', kill);
      process.off('exit', kill);
    };
    const settle = (verdict: Verdict): void => {
      cleanUp();
      resolve(verdict);
    };
    child.on('error', (error) => {
      settle({ loadable: false, reason: `the check could not start: ${error.message}`, transient: true });
    });
    child.on('close', (code, exitSignal) => {
      if (message !== undefined) settle(toVerdict(message));
      else if (signal?.aborted === true) {
        cleanUp();
        reject(signal.reason);
      } else if (timedOut) {
        const seconds = Math.round(timeoutMs / 1000);
        settle({
          loadable: false,
          reason: `the check took longer than ${seconds} s`,
          transient: true,
          timedOut: true,
        });
      } else settle(crashVerdict(code, exitSignal, diagnostics));
    });
  });
}

function toVerdict(message: LoadCheckMessage): Verdict {
  return message.loadable
    ? { loadable: true }
    : { loadable: false, reason: message.reason, transient: message.transient };
}

function crashVerdict(code: number | null, exitSignal: NodeJS.Signals | null, diagnostics: string): Verdict {
  const signal = exitSignal ?? signalOfCode(code);
  // Only the system's out-of-memory killer sends SIGKILL: our own kills are told apart before.
  if (signal === 'SIGKILL' || (signal === 'SIGABRT' && memoryTrouble.test(diagnostics))) {
    return { loadable: false, reason: 'the machine ran out of memory while it was loaded', transient: true };
  }
  if (signal !== undefined && !crashSignals.includes(signal))
    return { loadable: false, reason: `loading it was ended from outside with ${signal}`, transient: true };
  const lastLines = diagnostics.trim().split('\n').slice(-2).join('; ').replaceAll(/\s+/g, ' ').slice(0, 300);
  const how = signal ?? `exit code ${code}`;
  const detail = lastLines === '' ? '' : ` (${lastLines})`;
  return { loadable: false, reason: `loading it ends the process with ${how}${detail}`, transient: false };
}

/** Shells and wrappers turn a signal into 128 + its number. */
function signalOfCode(code: number | null): NodeJS.Signals | undefined {
  const numbers = Object.entries(osConstants.signals) as [NodeJS.Signals, number][];
  return numbers.find(([, number]) => code === 128 + number)?.[0];
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
