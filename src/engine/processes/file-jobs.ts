import { overloaded, shuttingDown } from '../../errors/unavailable.ts';
import type { Log } from '../../telemetry/log.ts';
import { JobFailure, type JobLimits, type Program } from './pool-process.ts';
import { ProcessPool } from './process-pool.ts';

/** Options of Node for a program that may only read files, and tell the system to end it first and to dump no core. */
export const readingOnly: readonly string[] = [
  '--permission',
  '--allow-fs-read=*',
  '--allow-fs-write=/proc/self/oom_score_adj',
  '--allow-fs-write=/proc/self/coredump_filter',
  // A thread watches whether the server is still there.
  '--allow-worker',
  '--no-warnings',
];

export interface FileJobsOptions {
  readonly program: Program;
  readonly limits: JobLimits;
  /** The sentence about a file at whose limit its job was stopped, or that ended the process. */
  readonly stopped: Readonly<Record<'processor-time' | 'memory' | 'crash', string>>;
  /** The sentence that is said where the machine had no time for it. */
  readonly unserved: string;
  readonly log: Log;
}

const retryAfterMs = 2000;

/**
 * Has a program work on files that may be made to do harm, each in a process with limits. The processes start with the
 * first file and are kept. One key has one file worked on at a time, so that large ones do not add up.
 */
export class FileJobs<Outcome> {
  readonly #options: FileJobsOptions;
  readonly #pool: ProcessPool;

  constructor(options: FileJobsOptions) {
    const { program, log } = options;
    this.#options = options;
    this.#pool = new ProcessPool({
      program,
      kept: 2,
      most: 2,
      queueLimit: 1024,
      queueTimeoutMs: 60_000,
      log,
    });
  }

  /**
   * The outcome, or the sentence about the file because its job was stopped. Throws AppError (server_overloaded,
   * server_shutting_down) or `signal`'s reason.
   */
  async run(file: Uint8Array, signal: AbortSignal, keyId: string): Promise<Outcome | string> {
    const { limits, stopped, unserved } = this.#options;
    try {
      return (await this.#pool.run(file, { keyId, limits, signal })) as Outcome;
    } catch (error) {
      if (this.#pool.isClosed) throw shuttingDown();
      if (!(error instanceof JobFailure)) throw error;
      const { reason } = error;
      if (reason === 'processor-time' || reason === 'memory' || reason === 'crash') return stopped[reason];
      throw overloaded(unserved, retryAfterMs, error);
    }
  }

  /** Ends the processes; running jobs fail with server_shutting_down. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}
