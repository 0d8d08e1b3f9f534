/** With fewer prompt tokens per step a long prompt would take too long while others decode. */
const leastChunkTokens = 32;
/** Until the first measurement. */
const firstChunkTokens = 128;
/** Longest step while no sequence decodes. A cancelled request frees its slot only after the step. */
const prefillStepMs = 200;
/** Keeps a measurement of 0 ms from becoming a division by zero. */
const leastTokenMs = 0.001;
/** Weight of the newest measurement in the running means. */
const learningRate = 0.2;

/**
 * Decides how many prompt tokens a step may have, so that a stream beside them waits no longer than the target between
 * two tokens. It learns the cost of a prompt token from the steps that it is told of.
 */
export class PrefillPacer {
  readonly #targetGapMs: number;
  readonly #batchTokens: number;
  #decodeStepMs: number | undefined;
  #promptTokenMs: number | undefined;

  constructor(targetGapMs: number, batchTokens: number) {
    this.#targetGapMs = targetGapMs;
    this.#batchTokens = batchTokens;
  }

  /** Most prompt tokens for a step in which `decoders` sequences also decode. */
  chunkTokens(decoders: number): number {
    const room = this.#batchTokens - decoders;
    if (this.#promptTokenMs === undefined) return Math.min(room, firstChunkTokens);
    const budgetMs = decoders === 0 ? prefillStepMs : this.#targetGapMs - (this.#decodeStepMs ?? 0);
    const affordable = Math.floor(budgetMs / Math.max(this.#promptTokenMs, leastTokenMs));
    return Math.min(room, Math.max(leastChunkTokens, affordable));
  }

  /** Learns from one step that took `elapsedMs`. */
  observe(decoders: number, promptTokens: number, elapsedMs: number): void {
    if (promptTokens === 0) this.#decodeStepMs = blend(this.#decodeStepMs ?? elapsedMs, elapsedMs);
    else if (promptTokens >= leastChunkTokens) {
      const decodeMs = decoders > 0 ? (this.#decodeStepMs ?? 0) : 0;
      const perToken = Math.max(0, elapsedMs - decodeMs) / promptTokens;
      this.#promptTokenMs = blend(this.#promptTokenMs ?? perToken, perToken);
    }
  }
}

const blend = (mean: number, value: number) => mean + learningRate * (value - mean);
