import { overloaded } from '../../errors/unavailable.ts';
import { waitFor } from '../../timing/wait-for.ts';
import type { Log } from '../../telemetry/log.ts';
import { FairQueue } from '../queue/fair-queue.ts';
import { JobFailure, PoolProcess, type JobLimits, type Program } from './pool-process.ts';

export interface ProcessPoolOptions {
  readonly program: Program;
  /** Processes that are kept from the first job on; at least 2, so that one is free while another is stuck. */
  readonly kept: number;
  /** Most processes at the same time. */
  readonly most: number;
  /** Jobs that may wait at the same time. One key may have half of them. */
  readonly queueLimit: number;
  readonly queueTimeoutMs: number;
  readonly log: Log;
}

/** Whose job it is, and its limits. */
export interface JobOrder {
  readonly keyId: string;
  /** Something beside the key that may keep jobs from ending, such as a template. Its jobs never get all processes. */
  readonly subject?: string | undefined;
  readonly limits: JobLimits;
  readonly signal?: AbortSignal | undefined;
}

interface Waiting {
  readonly job: unknown;
  readonly order: JobOrder;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const retryAfterMs = 2000;
/** Another process is started when none was free for this time. */
const growthDelayMs = 20;
/** How long after a failed start the next one is tried. */
const restartDelayMs = 1000;
/** How long processes live that are more than the kept ones. */
const extraLifeMs = 60_000;

/**
 * Does jobs in reused processes. A job that does not end, takes too much memory or crashes costs its process, and harms
 * no other job. A key that has a process gets another one only while a process is left for other keys. A process that had
 * to be ended still counts for its key until another one has replaced it.
 */
export class ProcessPool {
  readonly #options: ProcessPoolOptions;
  readonly #queue = new FairQueue<Waiting>();
  readonly #processes = new Set<PoolProcess>();
  /** Processes without a job, least recently used first. */
  readonly #idle: PoolProcess[] = [];
  readonly #running = new Map<PoolProcess, JobOrder>();
  /** Orders of jobs whose process was ended and is not replaced yet. */
  readonly #owing: JobOrder[] = [];
  #starting = 0;
  #isWarm = false;
  #growth: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ProcessPoolOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Processes that live or are being started. */
  get processCount(): number {
    return this.#processes.size;
  }

  /**
   * The result of `job`. Throws JobFailure, server_overloaded where no process became free in time, or the signal's
   * reason. A running job goes on after its caller has left.
   */
  async run(job: unknown, order: JobOrder): Promise<unknown> {
    try {
      return await this.#wait(job, order);
    } catch (error) {
      const again = error instanceof JobFailure && error.reason === 'interrupted' && !this.#isClosed;
      if (!again) throw error;
      // The process was ended from outside, so the job is not to blame.
      return await this.#wait(job, order);
    }
  }

  /** Ends all processes; jobs under way and later ones fail with JobFailure. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#growth);
    this.#failWaiting();
    for (const process of this.#processes) process.kill();
    await Promise.all([...this.#processes].map(({ ended }) => ended));
  }

  async #wait(job: unknown, order: JobOrder): Promise<unknown> {
    const { keyId, signal } = order;
    const { queueLimit, queueTimeoutMs } = this.#options;
    signal?.throwIfAborted();
    if (this.#isClosed) throw new JobFailure('interrupted');
    const ofKey = [...this.#queue].filter((waiting) => waiting.order.keyId === keyId).length;
    if (this.#queue.size >= queueLimit || ofKey >= queueLimit / 2)
      throw overloaded('Too many requests are being prepared already.', retryAfterMs);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const waiting: Waiting = { job, order, resolve, reject };
    const leaveQueue = () => this.#queue.remove(waiting);
    // Only waiting has a timeout here: a running job has limits of its own.
    const timeoutError = () =>
      leaveQueue() ? overloaded('The request could not be prepared in time.', retryAfterMs) : undefined;
    this.#queue.push(keyId, waiting);
    this.#next();
    return await waitFor(promise, {
      signal,
      timeoutMs: queueTimeoutMs,
      timeoutError,
      leave: () => {
        leaveQueue();
        return true;
      },
    });
  }

  /** Starts jobs that may start, and more processes where there are too few. */
  #next(): void {
    // The first job waits until all kept processes are ready, so that one is left for other keys.
    if (this.#idle.length >= this.#options.kept) this.#isWarm = true;
    while (this.#isWarm) {
      const process = this.#idle.at(-1);
      if (process === undefined) break;
      const waiting = this.#queue.pop(({ order }) => this.#mayBegin(order));
      if (waiting === undefined) break;
      this.#idle.pop();
      void this.#begin(process, waiting);
    }
    this.#grow();
  }

  #mayBegin({ keyId, subject }: JobOrder): boolean {
    const taken = [...this.#running.values(), ...this.#owing];
    const ofKey = taken.filter((order) => order.keyId === keyId).length;
    const ofSubject = taken.filter((order) => subject !== undefined && order.subject === subject).length;
    const share = this.#options.most - 1;
    if (ofKey >= share || ofSubject >= share) return false;
    return ofKey === 0 || this.#idle.length > 1;
  }

  async #begin(process: PoolProcess, { job, order, resolve, reject }: Waiting): Promise<void> {
    this.#running.set(process, order);
    const startedAt = performance.now();
    try {
      resolve(await process.run(job, order.limits));
    } catch (error) {
      reject(error);
    }
    this.#queue.charge(order.keyId, performance.now() - startedAt);
    this.#queue.retire(order.keyId);
    if (!process.isAlive || process.isWorn) return process.kill();
    this.#running.delete(process);
    this.#idle.push(process);
    this.#next();
  }

  #grow(): void {
    if (this.#isClosed || this.#growth !== undefined) return;
    while (this.#processes.size < this.#options.kept) this.#start();
    if (this.#starting === 0) this.#owing.length = 0;
    if (this.#isShort) this.#growLater(growthDelayMs, () => this.#isShort && this.#start());
  }

  /** True when no process is free or a job waits, no process is being started, and there may be one more. */
  get #isShort(): boolean {
    const isWanted = this.#idle.length === 0 || this.#queue.size > 0;
    return isWanted && this.#starting === 0 && this.#processes.size < this.#options.most;
  }

  #growLater(delayMs: number, grow: () => void): void {
    clearTimeout(this.#growth);
    this.#growth = setTimeout(() => {
      this.#growth = undefined;
      if (!this.#isClosed) grow();
    }, delayMs);
    this.#growth.unref();
  }

  #start(): void {
    const process = new PoolProcess(this.#options.program);
    this.#processes.add(process);
    this.#starting++;
    void process.ready.then(() => {
      this.#starting--;
      this.#owing.shift();
      this.#idle.push(process);
      this.#next();
    });
    void process.ended.then((why) => this.#forget(process, why));
    if (this.#processes.size > this.#options.kept) setTimeout(() => this.#endExtra(), extraLifeMs).unref();
  }

  #forget(process: PoolProcess, why: string): void {
    this.#processes.delete(process);
    const at = this.#idle.indexOf(process);
    if (at >= 0) this.#idle.splice(at, 1);
    const order = this.#running.get(process);
    this.#running.delete(process);
    if (order !== undefined) this.#owing.push(order);
    if (process.wasReady) return this.#next();
    this.#starting--;
    if (this.#isClosed) return;
    this.#options.log.error({ why }, 'a process that prepares requests did not start');
    if (this.#processes.size === 0) this.#failWaiting();
    this.#growLater(restartDelayMs, () => this.#next());
  }

  #endExtra(): void {
    if (this.#processes.size <= this.#options.kept) return;
    const [process] = this.#idle;
    if (process === undefined) setTimeout(() => this.#endExtra(), extraLifeMs).unref();
    else process.kill();
  }

  #failWaiting(): void {
    for (let waiting = this.#queue.pop(); waiting !== undefined; waiting = this.#queue.pop()) {
      waiting.reject(new JobFailure(this.#isClosed ? 'interrupted' : 'no-process'));
      this.#queue.retire(waiting.order.keyId);
    }
  }
}
