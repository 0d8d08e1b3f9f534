import { once } from 'node:events';
import { AppError } from '../../errors.ts';

/** So long may the prompts of a batch be computed where their tokens are judged. */
const mostScoringMs = 10_000;

/** Requests that are asked as one: none is computed before all are found good. */
export class RequestBatch {
  #missing: number;
  readonly #size: number;
  #scoringMs = 0;
  readonly #complete = Promise.withResolvers<void>();

  constructor(size: number) {
    this.#size = size;
    this.#missing = size;
  }

  /**
   * Counts time in which prompts were computed and their tokens judged: most of it goes into answers that nobody has
   * yet. Throws AppError invalid_value when several have taken too much of it; one alone may take what it needs.
   */
  spendOnScoring(elapsedMs: number): void {
    this.#scoringMs += elapsedMs;
    if (this.#size === 1 || this.#scoringMs <= mostScoringMs) return;
    throw new AppError(
      'invalid_value',
      `The log-probabilities of these ${this.#size} prompts take more than the ${mostScoringMs / 1000} s that one ` +
        "request may take for those of several. Send fewer prompts at once, or leave 'echo' or 'logprobs' out.",
      { param: 'logprobs' },
    );
  }

  /** To be called once by each request that is found good. Resolves when all have done so, or `signal` is aborted. */
  async join(signal: AbortSignal): Promise<void> {
    this.#missing--;
    if (this.#missing === 0) this.#complete.resolve();
    if (signal.aborted) return;
    const joined = new AbortController();
    const left = once(signal, 'abort', { signal: joined.signal }).catch(() => undefined);
    await Promise.race([this.#complete.promise, left]);
    joined.abort();
  }
}
