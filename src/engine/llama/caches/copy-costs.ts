/** Until the first measurement, and whatever it says, fewer tokens than these are not worth a copy. */
const leastGainTokens = 16;
/** The quickest of the last eight copies counts: the others may have been held up by other processes. */
const rememberedCopies = 8;
/** Fewer copies than these say nothing against the next one: something may have held up each of them. */
const tellingCopies = 3;
/**
 * Remembered times shrink by 5 % with each copy that is refused for its time. Without copies there are no measurements, so
 * that times of copies which other processes held up would count for ever.
 */
const keptByRefusal = 0.95;

/** Tells whether copies of caches save more time than they take, judging by how long earlier ones took. */
export class CopyCosts {
  readonly #saves = new TokenTimes();
  readonly #restores = new TokenTimes();

  /** Learns from a copy of `tokens` tokens out of the context. */
  saved(tokens: number, elapsedMs: number): void {
    this.#saves.add(elapsedMs / tokens);
  }

  /** Learns from a copy of `tokens` tokens back into the context. */
  restored(tokens: number, elapsedMs: number): void {
    this.#restores.add(elapsedMs / tokens);
  }

  /** How long copying `tokens` out should take; 0 where that is not known. */
  saveMs(tokens: number): number {
    return this.#saves.quickestMs * tokens;
  }

  /** True when to copy `tokens` out, and once back, is faster than to compute `lost` of them again. */
  paysToKeep(tokens: number, lost: number, promptTokenMs: number | undefined): boolean {
    return this.#pays((this.#saves.tellingMs + this.#restores.tellingMs) * tokens, lost, promptTokenMs);
  }

  /** True when to bring `tokens` back is faster than to compute the `gained` ones of them that are not there yet. */
  paysToRestore(tokens: number, gained: number, promptTokenMs: number | undefined): boolean {
    return this.#pays(this.#restores.tellingMs * tokens, gained, promptTokenMs);
  }

  #pays(copyMs: number, tokens: number, promptTokenMs = Number.POSITIVE_INFINITY): boolean {
    if (tokens < leastGainTokens) return false;
    if (copyMs < tokens * promptTokenMs) return true;
    this.#saves.shrink();
    this.#restores.shrink();
    return false;
  }
}

/** Milliseconds for each token of the last copies. */
class TokenTimes {
  #last: number[] = [];

  /** 0 before the first one. */
  get quickestMs(): number {
    return this.#last.length === 0 ? 0 : Math.min(...this.#last);
  }

  /** The same; 0 before there are enough to judge by. */
  get tellingMs(): number {
    return this.#last.length < tellingCopies ? 0 : this.quickestMs;
  }

  add(ms: number): void {
    this.#last = [...this.#last, ms].slice(-rememberedCopies);
  }

  shrink(): void {
    this.#last = this.#last.map((ms) => ms * keptByRefusal);
  }
}
