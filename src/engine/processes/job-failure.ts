/** `interrupted`: something other than the job ended its process. `no-process`: none could be started. */
export type FailureReason = 'deadline' | 'memory' | 'crash' | 'interrupted' | 'no-process';

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
