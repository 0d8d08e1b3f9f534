/** Crashes in a row, each soon after the load, at which a model counts as broken. */
const tooMany = 3;
const shortLifeMs = 3000;

/** Tells which models crash whenever they are loaded. */
export class Crashes {
  readonly #inRow = new Map<string, number>();

  /** Notes that a model was lost `lifeMs` after its load. True when that happened too often: then the count begins anew. */
  note(modelId: string, lifeMs: number): boolean {
    const count = lifeMs < shortLifeMs ? (this.#inRow.get(modelId) ?? 0) + 1 : 0;
    const isTooOften = count >= tooMany;
    this.#inRow.set(modelId, isTooOften ? 0 : count);
    return isTooOften;
  }
}
