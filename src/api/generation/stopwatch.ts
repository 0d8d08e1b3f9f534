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

  /** `generation`, which it follows until that is accepted. */
  follow<Running extends { readonly accepted: Promise<void> }>(generation: Running): Running {
    void generation.accepted.then(() => this.accept());
    return generation;
  }

  /** The first token came. */
  answer(): void {
    this.accept();
    this.#answeredAtMs ??= performance.now();
  }

  /** The times of an answer that ends now: all of it, and its waits for the model, for the prompt and for the text. */
  stop() {
    const nowMs = performance.now();
    const acceptedAtMs = this.#acceptedAtMs ?? nowMs;
    const answeredAtMs = this.#answeredAtMs ?? nowMs;
    return {
      totalMs: nowMs - this.#arrivedAtMs,
      loadMs: acceptedAtMs - this.#arrivedAtMs,
      promptMs: answeredAtMs - acceptedAtMs,
      answerMs: nowMs - answeredAtMs,
    };
  }
}

export const perSecond = (tokens: number, ms: number): number => (ms > 0 ? (tokens * 1000) / ms : 0);
