import { statSync } from 'node:fs';
import { constants as osConstants } from 'node:os';
import type { ModelFindings } from './trial.ts';
import { messageOf } from '../../words/describe-error.ts';
import {
  askProgram,
  crashSignals,
  memoryTrouble,
  programBeside,
  type ChildEnd,
} from '../processes/watch-child.ts';

interface Loadable {
  readonly loadable: true;
  /** Of chat models. */
  readonly findings?: ModelFindings | undefined;
}

/** Whether a model file can be loaded without harm. */
export type Verdict =
  | Loadable
  | {
      readonly loadable: false;
      readonly reason: string;
      /** The machine was at fault, not the file (too slow, out of memory, no speech engine). It may be tried again. */
      readonly transient: boolean;
      /** The check did not end in time, and the next one may take as long. */
      readonly timedOut?: boolean;
      /** When the file may be tried again, by `Date.now()`; undefined: at any time. */
      readonly retryAtMs?: number;
    };

/** Messages from the process that tries a file: one before it renders the chat template, and its verdict. */
export type LoadCheckMessage =
  | Loadable
  | { readonly loadable: false; readonly reason: string; readonly transient: boolean }
  | RendersTemplate;

interface RendersTemplate {
  readonly rendersTemplate: true;
  /** Processor time that the process has taken so far. */
  readonly cpuMs: number;
}

export interface CheckOptions {
  /** Limit of processor time, to which large files get some more. Default: a minute. */
  readonly cpuMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const usualCpuMs = 60_000;
/** Speed of a slow disk. The check reads the whole file once. */
const slowestReadBytesPerMs = 20_000;
/** On a busy machine a process gets a small part of the processors: that is no fault of the file. */
const elapsedPerCpu = 10;
/** For some 70 renders, each of which takes a few milliseconds at most. */
const templateCpuMs = 10_000;
const programPath = programBeside(import.meta.url, 'load-check-child');

/**
 * Whether the file at `path` can be loaded. It is loaded and used a little in a short-lived process of its own, so a
 * crash or an endless loop does no harm here. Rejects only when `signal` aborts.
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
  const cpuMs = (options.cpuMs ?? usualCpuMs) + sizeBytes / slowestReadBytesPerMs;
  const timeoutMs = elapsedPerCpu * Math.max(cpuMs, usualCpuMs);
  let template: RendersTemplate | undefined;
  const limits = {
    timeoutMs,
    signal,
    get cpuMs() {
      return template === undefined ? cpuMs : Math.min(cpuMs, template.cpuMs + templateCpuMs);
    },
  };
  let end: Awaited<ReturnType<typeof askProgram>>;
  try {
    end = await askProgram(programPath, [path], limits, (message) => {
      if (!isRendersTemplate(message)) return false;
      template = message;
      return true;
    });
  } catch (error) {
    return { loadable: false, reason: `the check could not start: ${messageOf(error)}`, transient: true };
  }
  if (end.message !== undefined) return end.message as Exclude<LoadCheckMessage, RendersTemplate>;
  signal?.throwIfAborted();
  if (end.stopped === undefined) return crashVerdict(end);
  const what = template === undefined ? 'the check' : 'rendering its chat template';
  const bound =
    end.stopped === 'timeout'
      ? `${inSeconds(timeoutMs)} on a busy machine`
      : `${inSeconds(template === undefined ? cpuMs : limits.cpuMs - template.cpuMs)} of processor time`;
  return { loadable: false, reason: `${what} took more than ${bound}`, transient: true, timedOut: true };
}

/** `checkModelFile`, which gives a model no less than the time that requests wait for it. */
export const checkFor =
  ({ loadTimeoutMs }: { readonly loadTimeoutMs: number }) =>
  (path: string, options: CheckOptions): Promise<Verdict> =>
    checkModelFile(path, { cpuMs: Math.max(usualCpuMs, loadTimeoutMs), ...options });

const inSeconds = (ms: number) => `${Math.round(ms / 1000)} s`;

const isRendersTemplate = (message: unknown): message is RendersTemplate =>
  typeof message === 'object' && message !== null && 'rendersTemplate' in message;

function crashVerdict({ exitCode, exitSignal, diagnostics }: ChildEnd): Verdict {
  const signal = exitSignal ?? signalOfCode(exitCode);
  // Our own SIGKILLs are handled above, so this one came from the system's out-of-memory killer.
  if (signal === 'SIGKILL' || (signal === 'SIGABRT' && memoryTrouble.test(diagnostics))) {
    return { loadable: false, reason: 'the machine ran out of memory while it was loaded', transient: true };
  }
  if (signal !== undefined && !crashSignals.has(signal))
    return { loadable: false, reason: `loading it was ended from outside with ${signal}`, transient: true };
  const lastLines = diagnostics.trim().split('\n').slice(-2).join('; ').replaceAll(/\s+/g, ' ').slice(0, 300);
  const how = signal ?? `exit code ${exitCode}`;
  const detail = lastLines === '' ? '' : ` (${lastLines})`;
  return { loadable: false, reason: `loading it ends the process with ${how}${detail}`, transient: false };
}

/** Shells and wrappers turn a signal into 128 + its number. */
function signalOfCode(code: number | null): NodeJS.Signals | undefined {
  const numbers = Object.entries(osConstants.signals) as [NodeJS.Signals, number][];
  return numbers.find(([, number]) => code === 128 + number)?.[0];
}
