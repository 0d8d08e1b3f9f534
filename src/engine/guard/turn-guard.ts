import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { overloaded, shuttingDown } from '../../unavailable.ts';
import { JobFailure } from '../processes/job-failure.ts';
import type { JobLimits } from '../processes/pool-process.ts';
import { ProcessPool } from '../processes/process-pool.ts';
import type { TurnJob, TurnOutcome } from './turn-job.ts';

/** For whom something is prepared. */
export interface Asker {
  readonly keyId: string;
  readonly signal?: AbortSignal | undefined;
}

const programPath = fileURLToPath(new URL(`./turn-program${extname(import.meta.url)}`, import.meta.url));
/** A process needs some 100 MiB before its first job. */
const memory = { memoryBytes: 512 * 2 ** 20, heapMegabytes: 320 };
/** Two that may be stuck by one key, and one for the others. */
const fewestProcesses = 3;
const mostProcesses = 4;
const retryAfterMs = 2000;

/** Does what templates and schemas ask for in processes that can be stopped; they start with the first job. */
export class TurnGuard {
  readonly #pool: ProcessPool;

  /** `addonFile` is llama.cpp's, which renders templates. */
  constructor(addonFile: string, log: Log) {
    this.#pool = new ProcessPool({
      program: { path: programPath, args: [addonFile], ...memory },
      kept: 2,
      most: Math.min(mostProcesses, Math.max(fewestProcesses, availableParallelism())),
      queueLimit: 1024,
      queueTimeoutMs: 30_000,
      log,
    });
  }

  /**
   * What `job` comes to. Throws JobFailure where the job is to blame for having none (deadline, memory, crash), AppError
   * (server_overloaded, server_shutting_down) where it is not, or the signal's reason.
   */
  async run(job: TurnJob, limits: JobLimits, { keyId, signal }: Asker): Promise<TurnOutcome> {
    const subject = job.kind === 'constraint' ? undefined : job.template.source;
    try {
      return (await this.#pool.run(job, { keyId, subject, limits, signal })) as TurnOutcome;
    } catch (error) {
      if (this.#pool.isClosed) throw shuttingDown();
      const isBlameless =
        error instanceof JobFailure && (error.reason === 'interrupted' || error.reason === 'no-process');
      if (!isBlameless) throw error;
      throw overloaded('The request could not be prepared.', retryAfterMs, error);
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** The error for the client that an outcome stands for. */
export const refusalOf = ({ code, message, param }: TurnOutcome & { readonly kind: 'refused' }) =>
  new AppError(code, message, param === null ? {} : { param });

/** What a stopped job did, for its client: `took longer than 2 s`. */
export function whatItDid({ reason }: JobFailure, { cpuMs }: JobLimits): string {
  if (reason === 'deadline') return `takes longer than ${cpuMs / 1000} s`;
  return reason === 'memory' ? 'takes too much memory' : 'ends in a crash';
}
