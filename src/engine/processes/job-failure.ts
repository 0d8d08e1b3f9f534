/** `interrupted`: something other than the job ended its process. `no-process`: none could be started. */
export type FailureReason = 'deadline' | 'memory' | 'crash' | 'interrupted' | 'no-process';

/** A job brought no result: it was stopped at one of its limits, or its process ended. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
  readonly reason: FailureReason;
  /** What the job said last of where it was; undefined: nothing. */
  readonly progress: unknown;

  constructor(reason: FailureReason, progress?: unknown) {
    super(`the job ended by: ${reason}`);
    this.reason = reason;
    this.progress = progress;
  }
}
