/** Until the first measurement, and whatever it says, fewer tokens than these are not worth a copy. */
const leastGainTokens = 16;
/** Weight of the newest measurement in the running means. */
const learningRate = 0.2;
/**
 * The means shrink by 5 % with each copy that is refused for its time. Without copies there are no measurements, so that
 * one which other processes held up would count for ever.
 */
const keptByRefusal = 0.95;

/** Tells whether copies of caches save more time than they take, judging by how long earlier ones took. */
export class CopyCosts {
  #saveTokenMs = 0;
  #restoreTokenMs = 0;

  /** Learns from a copy of `tokens` tokens out of the context. */
  saved(tokens: number, elapsedMs: number): void {
    this.#saveTokenMs = blend(this.#saveTokenMs, elapsedMs / tokens);
  }

  /** Learns from a copy of `tokens` tokens back into the context. */
  restored(tokens: number, elapsedMs: number): void {
    this.#restoreTokenMs = blend(this.#restoreTokenMs, elapsedMs / tokens);
  }

  /** How long copying `tokens` out should take; 0 where that is not known. */
  saveMs(tokens: number): number {
    return this.#saveTokenMs * tokens;
  }

  /** True when to copy `tokens` out, and once back, is faster than to compute `lost` of them again. */
  paysToKeep(tokens: number, lost: number, promptTokenMs: number | undefined): boolean {
    return this.#pays((this.#saveTokenMs + this.#restoreTokenMs) * tokens, lost, promptTokenMs);
  }

  /** True when to bring `tokens` back is faster than to compute the `gained` ones of them that are not there yet. */
  paysToRestore(tokens: number, gained: number, promptTokenMs: number | undefined): boolean {
    return this.#pays(this.#restoreTokenMs * tokens, gained, promptTokenMs);
  }

  #pays(copyMs: number, tokens: number, promptTokenMs = Number.POSITIVE_INFINITY): boolean {
    if (tokens < leastGainTokens) return false;
    if (copyMs < tokens * promptTokenMs) return true;
    this.#saveTokenMs *= keptByRefusal;
    this.#restoreTokenMs *= keptByRefusal;
    return false;
  }
}

const blend = (mean: number, value: number) => (mean === 0 ? value : mean + learningRate * (value - mean));
