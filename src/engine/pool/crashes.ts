/** So many crashes of a model within this time are too many. */
const tooMany = 3;
const withinMs = 60_000;

/** Counts how often models were lost by a fault. */
export class Crashes {
  readonly #timesMs = new Map<string, number[]>();

  /** Counts one more. True when the model has crashed too often: then the count begins anew. */
  note(modelId: string, nowMs = performance.now()): boolean {
    const recent = (this.#timesMs.get(modelId) ?? []).filter((timeMs) => nowMs - timeMs < withinMs);
    const isTooOften = recent.push(nowMs) >= tooMany;
    this.#timesMs.set(modelId, isTooOften ? [] : recent);
    return isTooOften;
  }
}
