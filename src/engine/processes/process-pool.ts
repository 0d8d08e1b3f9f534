import { AppError } from '../../errors.ts';
import { waitFor } from '../../wait-for.ts';
import type { Log } from '../../telemetry/log.ts';
import { FairQueue } from '../queue/fair-queue.ts';
import { JobFailure } from './job-failure.ts';
import { PoolProcess, type JobLimits, type Program } from './pool-process.ts';

export interface ProcessPoolOptions {
  readonly program: Program;
  /** Processes that are kept once the first job came; at least 2, so that one is left while another is stuck. */
  readonly kept: number;
  /** Processes at the same time. */
  readonly most: number;
  /** Jobs that may wait at the same time; of one key half of that. */
  readonly queueLimit: number;
  readonly queueTimeoutMs: number;
  readonly log: Log;
}

/** Whose job it is, and what it may take. */
export interface JobOrder {
  readonly keyId: string;
  /** What else may be to blame where a job does not end, such as a template; it too gets a share of the processes. */
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

/** Another process is started where none was free for so long. */
const growthDelayMs = 20;
/** After one that did not start, others are tried so much later. */
const restartDelayMs = 1000;
/** Processes beyond those that are kept end after so long. */
const extraLifeMs = 60_000;

/**
 * Does jobs that may never end in processes that are used again and again. One that does not end, takes too much
 * memory or crashes costs its process, and nobody else anything: a key that has a process gets another only where one
 * is left for others, and never all of them. A process that had to be ended stays with the key that it worked for until
 * there is another in its place.
 */
export class ProcessPool {
  readonly #options: ProcessPoolOptions;
  readonly #queue = new FairQueue<Waiting>();
  readonly #processes = new Set<PoolProcess>();
  /** Ready and without a job; the one used last is at the end. */
  readonly #idle: PoolProcess[] = [];
  readonly #running = new Map<PoolProcess, JobOrder>();
  /** Of jobs that ended their process, as long as others are on their way in its place. */
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
   * What `job` brings. Throws JobFailure, server_overloaded where its turn did not come, or the signal's reason: a
   * job that runs already then goes on without anyone who waits for it.
   */
  async run(job: unknown, order: JobOrder): Promise<unknown> {
    try {
      return await this.#wait(job, order);
    } catch (error) {
      const again = error instanceof JobFailure && error.reason === 'interrupted' && !this.#isClosed;
      if (!again) throw error;
      // Somebody or the system ended its process: that says nothing of the job.
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
      throw overloaded('Too many requests are being prepared already.');
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const waiting: Waiting = { job, order, resolve, reject };
    const leaveQueue = () => this.#queue.remove(waiting);
    // Of a job that runs only its caller may tire: its own limits end it.
    const timeoutError = () =>
      leaveQueue() ? overloaded('The request could not be prepared in time.') : undefined;
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

  /** Begins what may begin, and has more processes where there are too few. */
  #next(): void {
    // Not before a key can have one and leave one.
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

  /** Nobody else could begin now, or somebody waits, and no process is on its way. */
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

const overloaded = (what: string) =>
  new AppError('server_overloaded', `${what} Try again later.`, { retryAfterSeconds: 2 });
