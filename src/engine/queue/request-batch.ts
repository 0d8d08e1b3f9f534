import { AppError } from '../../errors/errors.ts';
import { waitFor } from '../../timing/wait-for.ts';

/** Longest time in which the prompts of a batch are computed when their log-probabilities are wanted. */
const mostScoringMs = 10_000;

/** Requests that the client sent as one: none is computed before all have passed their checks. */
export class RequestBatch {
  #missing: number;
  readonly size: number;
  #scoringMs = 0;
  readonly #complete = Promise.withResolvers<void>();

  constructor(size: number) {
    this.size = size;
    this.#missing = size;
  }

  /**
   * Counts time that was spent on prompts whose log-probabilities are wanted, while the client gets nothing yet. Throws
   * AppError invalid_value when several requests have spent too much; a single one may take all that it needs.
   */
  spendOnScoring(elapsedMs: number): void {
    this.#scoringMs += elapsedMs;
    if (this.size === 1 || this.#scoringMs <= mostScoringMs) return;
    throw new AppError(
      'invalid_value',
      `The log-probabilities of these ${this.size} prompts take more than the ${mostScoringMs / 1000} s that one ` +
        "request may take for those of several. Send fewer prompts at once, or leave 'echo' or 'logprobs' out.",
      { param: 'logprobs' },
    );
  }

  /** To be called once by each request that passed its checks. Resolves when all have, or when `signal` is aborted. */
  async join(signal: AbortSignal): Promise<void> {
    this.#missing--;
    if (this.#missing === 0) this.#complete.resolve();
    await waitFor(this.#complete.promise, { signal }).catch(() => undefined);
  }
}
