/** How far a prompt is, as the wire tells it: tokens, and the milliseconds since its reading began. */
export interface PromptProgress {
  readonly total: number;
  /** The part of `processed` that took no time. */
  readonly cache: number;
  readonly processed: number;
  readonly time_ms: number;
}

const noSums = { n2: 0, n3: 0, n4: 0, nt: 0, n2t: 0 };

/**
 * How long the rest of a prompt takes. A token costs a fixed part and a part that grows with the tokens before it, which
 * attention reads, so `n` tokens take `fixed · n + growing · n²`. Both parts are the least squares of all that was told so
 * far, and neither is below 0.
 */
export class PromptClock {
  #lastMs = 0;
  #sums = { ...noSums };

  /** Milliseconds; 0: not known yet. Called with each progress of an answer, which may have several prompts. */
  leftMs({ total, cache, processed, time_ms: elapsedMs }: PromptProgress): number {
    if (elapsedMs < this.#lastMs) this.#sums = { ...noSums };
    this.#lastMs = elapsedMs;
    const tokens = processed - cache;
    if (tokens <= 0) return 0;
    this.#sums.n2 += tokens ** 2;
    this.#sums.n3 += tokens ** 3;
    this.#sums.n4 += tokens ** 4;
    this.#sums.nt += tokens * elapsedMs;
    this.#sums.n2t += tokens ** 2 * elapsedMs;
    const { fixed, growing } = this.#partsMs();
    const all = total - cache;
    return fixed * (all - tokens) + growing * (all ** 2 - tokens ** 2);
  }

  #partsMs(): { fixed: number; growing: number } {
    const { n2, n3, n4, nt, n2t } = this.#sums;
    const determinant = n2 * n4 - n3 ** 2;
    const growing = (n2t * n2 - nt * n3) / determinant;
    // One progress alone leaves the two parts undetermined, but for rounding.
    if (determinant <= n2 * n4 * 1e-9 || growing < 0) return { fixed: nt / n2, growing: 0 };
    const fixed = (nt * n4 - n2t * n3) / determinant;
    return fixed < 0 ? { fixed: 0, growing: n2t / n4 } : { fixed, growing };
  }
}
