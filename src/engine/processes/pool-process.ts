import { fork, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { childEnvironment } from './child-environment.ts';
import { crashSignals } from './crash-signals.ts';
import { residentBytes } from './resident-bytes.ts';
import { cpuTimeMs } from './cpu-time.ts';
import { JobFailure, type FailureReason } from './job-failure.ts';

/** A program that serves jobs; see `serveJobs`. */
export interface Program {
  readonly path: string;
  readonly args: readonly string[];
  /** Of memory that is really in use, while a job runs; watched on Linux only. */
  readonly memoryBytes: number;
  /** Of V8's heap. */
  readonly heapMegabytes: number;
}

/** How long a job may take. */
export interface JobLimits {
  /** Of computing, where the system tells that; else of the clock. */
  readonly cpuMs: number;
  /** By the clock, on a machine that has little time for the job. */
  readonly wallMs: number;
}

/** What a process says to its parent. */
export type ProcessMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly progress: unknown }
  | { readonly kind: 'done'; readonly result: unknown };

const watchMs = 50;
/** A process that works for so long gives way to all others. */
const patienceMs = 500;
const lowPriority = 5;
const startTimeoutMs = 30_000;
const maxDiagnosticChars = 2048;
const memoryTrouble = /out of memory|bad_alloc/i;

interface RunningJob {
  readonly resolve: (result: unknown) => void;
  readonly reject: (failure: JobFailure) => void;
  progress: unknown;
}

/** A process that does one job after the other. */
export class PoolProcess {
  /** Resolves when it takes jobs; never where it does not start. */
  readonly ready: Promise<void>;
  /** Resolves when it has ended, with how; never rejects. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  readonly #memoryBytes: number;
  readonly #ready = Promise.withResolvers<void>();
  #job: RunningJob | undefined;
  #stopped: FailureReason | undefined;
  #wasReady = false;
  #isAlive = true;
  #isWorn = false;
  #diagnostics = '';

  constructor({ path, args, memoryBytes, heapMegabytes }: Program) {
    this.#memoryBytes = memoryBytes;
    this.#child = fork(path, args, {
      execArgv: [`--max-old-space-size=${heapMegabytes}`],
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

  /** It worked so long, or so near its limits, that a fresh one serves better. */
  get isWorn(): boolean {
    return this.#isWorn;
  }

  /** What `job` brings. Throws JobFailure, and then the process is gone. One at a time. */
  async run(job: unknown, limits: JobLimits): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const running: RunningJob = { resolve, reject, progress: undefined };
    this.#job = running;
    // Who waits for a job wants this process to live on until it is done.
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

  /** Ends it, whatever it does. */
  kill(): void {
    this.#stop('interrupted');
  }

  #stop(reason: FailureReason): void {
    this.#stopped ??= reason;
    // Who waits for its end is to see it.
    this.#child.ref();
    this.#child.kill('SIGKILL');
  }

  #follow(): Promise<string> {
    const child = this.#child;
    // One that is caught in a loop does not notice that its parent is gone.
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    const startTimer = setTimeout(kill, startTimeoutMs);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#diagnostics = (this.#diagnostics + text).slice(-maxDiagnosticChars);
    });
    child.on('message', (message) => this.#receive(message as ProcessMessage));
    void this.ready.then(() => clearTimeout(startTimer));
    return new Promise((resolve) => {
      const finish = (how: string, reason: FailureReason): void => {
        this.#isAlive = false;
        clearTimeout(startTimer);
        process.off('exit', kill);
        this.#job?.reject(new JobFailure(this.#stopped ?? reason, this.#job.progress));
        resolve(how);
      };
      child.once('error', (error) => finish(error.message, 'interrupted'));
      child.once('close', (code, signal) => {
        const how = `${signal ?? `exit code ${code}`} ${this.#diagnostics.trim()}`.trim();
        finish(how, this.#reasonOf(code, signal));
      });
    });
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
    // What is written while jobs run is theirs, and goes into no log.
    this.#diagnostics = '';
    // From here on it keeps nobody alive but those who wait for a job.
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
      // What it computed before the first look is not known, but it was no more than the time since.
      cpuBeforeMs ??= (cpuNowMs ?? 0) - elapsedMs;
      const spentMs = cpuNowMs === undefined ? elapsedMs : cpuNowMs - cpuBeforeMs;
      if (bytes > this.#memoryBytes) this.#stop('memory');
      else if (spentMs > cpuMs || elapsedMs > wallMs) this.#stop('deadline');
      if (bytes > this.#memoryBytes / 2) this.#isWorn = true;
      if (elapsedMs <= patienceMs || gaveWay) return;
      giveWay(pid);
      gaveWay = true;
      // A process may lower its priority, and only that.
      this.#isWorn = true;
    };
    return setInterval(() => void look(), watchMs);
  }

  #reasonOf(code: number | null, signal: NodeJS.Signals | null): FailureReason {
    if (signal !== null && !crashSignals.includes(signal)) return 'interrupted';
    return memoryTrouble.test(this.#diagnostics) ? 'memory' : code === 0 ? 'interrupted' : 'crash';
  }
}

function giveWay(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, lowPriority);
  } catch {
    // It has ended, or that is not allowed here: it only competes more.
  }
}
