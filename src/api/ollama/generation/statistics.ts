import type { Usage } from '../../../engine/generation.ts';

const nanosecondsPerMs = 1e6;

/** Takes the times of one answer, for the statistics at its end. Times are those of `performance.now()`. */
export class Stopwatch {
  readonly #arrivedAtMs: number;
  #acceptedAtMs: number | undefined;
  #answeredAtMs: number | undefined;

  constructor(arrivedAtMs: number) {
    this.#arrivedAtMs = arrivedAtMs;
  }

  /** The model is in memory, and the request has passed all checks. */
  accept(): void {
    this.#acceptedAtMs ??= performance.now();
  }

  /** The first token came. */
  answer(): void {
    this.accept();
    this.#answeredAtMs ??= performance.now();
  }

  /** The statistics of an answer that ends now: durations in nanoseconds, and numbers of tokens. */
  finish({ promptTokens, completionTokens }: Usage) {
    const nowMs = performance.now();
    const acceptedAtMs = this.#acceptedAtMs ?? nowMs;
    const answeredAtMs = this.#answeredAtMs ?? nowMs;
    return {
      total_duration: toNanoseconds(nowMs - this.#arrivedAtMs),
      load_duration: toNanoseconds(acceptedAtMs - this.#arrivedAtMs),
      prompt_eval_count: promptTokens,
      prompt_eval_duration: toNanoseconds(answeredAtMs - acceptedAtMs),
      eval_count: completionTokens,
      eval_duration: toNanoseconds(nowMs - answeredAtMs),
    };
  }
}

/** At least 1: programs divide by it. */
const toNanoseconds = (ms: number): number => Math.max(1, Math.round(ms * nanosecondsPerMs));
