import { fork, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { messageOf } from '../../words/describe-error.ts';
import { cpuTimeMs, residentBytes } from './process-usage.ts';
import { childEnvironment, crashSignals, memoryTrouble, watchChild, type ChildEnd } from './watch-child.ts';

/**
 * `processor-time`: the job itself took too long. `elapsed-time`: the machine had too little time for it. `interrupted`:
 * something other than the job ended its process. `no-process`: none could be started.
 */
export type FailureReason =
  | 'processor-time'
  | 'elapsed-time'
  | 'memory'
  | 'crash'
  | 'interrupted'
  | 'no-process';

/** A job has no result because it was stopped at one of its limits, or because its process ended. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
  readonly reason: FailureReason;
  /** The last progress that the job reported; undefined: none. */
  readonly progress: unknown;

  constructor(reason: FailureReason, progress?: unknown) {
    super(`the job ended by: ${reason}`);
    this.reason = reason;
    this.progress = progress;
  }
}

/** A program that serves jobs; see `serveJobs`. */
export interface Program {
  readonly path: string;
  readonly args: readonly string[];
  /** Limit of the resident memory while a job runs; watched on Linux only. */
  readonly memoryBytes: number;
  /** Limit of V8's heap. */
  readonly heapMegabytes: number;
  /** A process that needed more is replaced after the job, and so gives it back; default: half of `memoryBytes`. */
  readonly wornBytes?: number;
  /** Further options of Node. */
  readonly nodeArgs?: readonly string[];
}

/** How long a job may take. */
export interface JobLimits {
  /** Limit of processor time; of elapsed time where the system does not tell the other. */
  readonly cpuMs: number;
  /** Limit of elapsed time, for a machine that is busy with other work. */
  readonly wallMs: number;
}

/** Messages from a process to its parent. */
export type ProcessMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly progress: unknown }
  | { readonly kind: 'done'; readonly result: unknown };

const watchMs = 50;
/** After this time of one job its process gets the lowest priority. */
const patienceMs = 500;
const lowPriority = 5;
const startTimeoutMs = 30_000;

interface RunningJob {
  readonly resolve: (result: unknown) => void;
  readonly reject: (failure: JobFailure) => void;
  progress: unknown;
}

/** A process that does jobs, one at a time. */
export class PoolProcess {
  /** Resolves when it takes jobs. Never resolves where the process does not start. */
  readonly ready: Promise<void>;
  /**
   * Resolves when the process has ended, with a text that says how; never rejects. The text may hold output of jobs, and
   * so texts of users, unless the process never was ready.
   */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  readonly #memoryBytes: number;
  readonly #wornBytes: number;
  readonly #ready = Promise.withResolvers<void>();
  #job: RunningJob | undefined;
  #stopped: FailureReason | undefined;
  #wasReady = false;
  #isAlive = true;
  #isWorn = false;

  constructor({ path, args, memoryBytes, wornBytes, heapMegabytes, nodeArgs = [] }: Program) {
    this.#memoryBytes = memoryBytes;
    this.#wornBytes = wornBytes ?? memoryBytes / 2;
    this.#child = fork(path, args, {
      execArgv: [`--max-old-space-size=${heapMegabytes}`, ...nodeArgs],
      env: childEnvironment(),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.ready = this.#ready.promise;
    this.ended = this.#follow();
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get wasReady(): boolean {
    return this.#wasReady;
  }

  /** True when it is to be replaced: its priority was lowered, or it has taken much memory. */
  get isWorn(): boolean {
    return this.#isWorn;
  }

  /** The result of `job`. One job at a time. Throws JobFailure, and then the process is gone. */
  async run(job: unknown, limits: JobLimits): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const running: RunningJob = { resolve, reject, progress: undefined };
    this.#job = running;
    // The server must not exit while a job is awaited.
    this.#child.channel?.ref();
    const watch = this.#watch(running, limits);
    this.#child.send({ job }, (error) => {
      if (error !== null && this.#job === running) this.#stop('interrupted');
    });
    try {
      return await promise;
    } finally {
      clearInterval(watch);
      this.#job = undefined;
      this.#child.channel?.unref();
    }
  }

  /** Ends the process, even while it computes. */
  kill(): void {
    this.#stop('interrupted');
  }

  #stop(reason: FailureReason): void {
    this.#stopped ??= reason;
    // The server must not exit before the end of the process is noticed.
    this.#child.ref();
    this.#child.kill('SIGKILL');
  }

  async #follow(): Promise<string> {
    const startTimer = setTimeout(() => this.#child.kill('SIGKILL'), startTimeoutMs);
    void this.ready.then(() => clearTimeout(startTimer));
    this.#child.on('message', (message) => this.#receive(message as ProcessMessage));
    let reason: FailureReason = 'interrupted';
    let how: string;
    try {
      const end = await watchChild(this.#child);
      reason = reasonOf(end);
      how = `${end.exitSignal ?? `exit code ${end.exitCode}`} ${end.diagnostics.trim()}`.trim();
    } catch (error) {
      how = messageOf(error);
    }
    this.#isAlive = false;
    clearTimeout(startTimer);
    this.#job?.reject(new JobFailure(this.#stopped ?? reason, this.#job.progress));
    return how;
  }

  #receive(message: ProcessMessage): void {
    switch (message.kind) {
      case 'ready':
        this.#becomeReady();
        return;
      case 'progress':
        if (this.#job !== undefined) this.#job.progress = message.progress;
        return;
      case 'done':
        return this.#job?.resolve(message.result);
    }
  }

  #becomeReady(): void {
    this.#wasReady = true;
    // An idle process must not keep the server from exiting.
    const { channel, stderr } = this.#child;
    this.#child.unref();
    channel?.unref();
    if (stderr instanceof Socket) stderr.unref();
    this.#ready.resolve();
  }

  #watch(running: RunningJob, { cpuMs, wallMs }: JobLimits): NodeJS.Timeout {
    const { pid } = this.#child;
    const startedAt = performance.now();
    let cpuBeforeMs: number | undefined;
    let gaveWay = false;
    const look = async (): Promise<void> => {
      const [bytes, cpuNowMs] = await Promise.all([residentBytes(pid), cpuTimeMs(pid)]);
      if (this.#job !== running) return;
      const elapsedMs = performance.now() - startedAt;
      // The time computed before the first look is unknown, but it is at most the time elapsed.
      cpuBeforeMs ??= (cpuNowMs ?? 0) - elapsedMs;
      const spentMs = cpuNowMs === undefined ? elapsedMs : cpuNowMs - cpuBeforeMs;
      if (bytes > this.#memoryBytes) this.#stop('memory');
      else if (spentMs > cpuMs) this.#stop('processor-time');
      else if (elapsedMs > wallMs) this.#stop('elapsed-time');
      if (bytes > this.#wornBytes) this.#isWorn = true;
      if (elapsedMs <= patienceMs || gaveWay) return;
      giveWay(pid);
      gaveWay = true;
      // The priority cannot be raised again.
      this.#isWorn = true;
    };
    return setInterval(() => void look(), watchMs);
  }
}

function reasonOf({ exitCode, exitSignal, diagnostics }: ChildEnd): FailureReason {
  if (exitSignal !== null && !crashSignals.has(exitSignal)) return 'interrupted';
  return memoryTrouble.test(diagnostics) ? 'memory' : exitCode === 0 ? 'interrupted' : 'crash';
}

function giveWay(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, lowPriority);
  } catch {
    // The process has ended, or this is not allowed here. It keeps its priority then.
  }
}
