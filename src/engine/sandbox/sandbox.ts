import { availableParallelism } from 'node:os';
import { AppError } from '../../errors/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { overloaded, shuttingDown } from '../../errors/unavailable.ts';
import { JobFailure, type JobLimits } from '../processes/pool-process.ts';
import { ProcessPool } from '../processes/process-pool.ts';
import { programBeside } from '../processes/watch-child.ts';
import type { SandboxJob, SandboxOutcome } from './sandbox-job.ts';

/** For whom a job is done. */
export interface Asker {
  readonly keyId: string;
  readonly signal?: AbortSignal | undefined;
}

const programPath = programBeside(import.meta.url, 'sandbox-program');
/** A process takes some 100 MiB before its first job. */
const memory = { memoryBytes: 512 * 2 ** 20, heapMegabytes: 320 };
/** One API key may block two processes; the third is for the others. */
const fewestProcesses = 3;
const mostProcesses = 4;
const retryAfterMs = 2000;

/** Renders templates and compiles schemas in processes that can be stopped. They start with the first job. */
export class Sandbox {
  readonly #pool: ProcessPool;

  /** `addonFile` is the addon of llama.cpp, which renders templates. */
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
   * The outcome of `job`. Throws JobFailure when the job itself failed (processor time, memory, crash), AppError
   * server_overloaded or server_shutting_down when the machine failed it, or the signal's reason.
   */
  async run(job: SandboxJob, limits: JobLimits, { keyId, signal }: Asker): Promise<SandboxOutcome> {
    const subject = job.kind === 'constraint' ? undefined : job.templateId;
    try {
      return (await this.#pool.run(job, { keyId, subject, limits, signal })) as SandboxOutcome;
    } catch (error) {
      if (this.#pool.isClosed) throw shuttingDown();
      if (!(error instanceof JobFailure)) throw error;
      switch (error.reason) {
        case 'processor-time':
        case 'memory':
        case 'crash':
          throw error;
        case 'elapsed-time':
          throw overloaded(
            `The machine is so busy that the request was not prepared in ${limits.wallMs / 1000} s.`,
            retryAfterMs,
            error,
          );
        case 'interrupted':
        case 'no-process':
          throw overloaded('The request could not be prepared.', retryAfterMs, error);
      }
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** The error for the client that a refusal stands for. */
export const refusalOf = ({ code, message, param }: SandboxOutcome & { readonly kind: 'refused' }) =>
  new AppError(code, message, param === null ? {} : { param });

/** The fault of a job that was stopped, for the message to the client: `takes too much memory`. */
export function whatItDid({ reason }: JobFailure, { cpuMs }: JobLimits): string {
  if (reason === 'processor-time') return `takes more than ${cpuMs / 1000} s of processor time`;
  return reason === 'memory' ? 'takes too much memory' : 'ends in a crash';
}
