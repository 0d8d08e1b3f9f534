/** The time that the first load of all is expected to take. */
const unknownLoadMs = 2000;
const longestRetrySeconds = 600;

/** One load that is under way or waits for its turn. */
export interface PendingLoad {
  readonly id: string;
  /** undefined: it has not begun. */
  readonly begunAtMs: number | undefined;
}

/** Estimates from earlier loads how long the pending ones still take. Times are those of `Date.now()`. */
export class LoadClock {
  readonly #lastMs = new Map<string, number>();

  observe(id: string, loadMs: number): void {
    // Newest last: a model that was never loaded is expected to take as long as the one loaded last.
    this.#lastMs.delete(id);
    this.#lastMs.set(id, loadMs);
  }

  /** Whole seconds, 1 to 600, until the last of `loads` should be there; they are loaded one after the other. */
  secondsUntilLoaded(loads: readonly PendingLoad[], nowMs: number): number {
    let remainingMs = 0;
    for (const { id, begunAtMs } of loads) {
      const elapsedMs = begunAtMs === undefined ? 0 : nowMs - begunAtMs;
      const expectedMs = this.#lastMs.get(id) ?? [...this.#lastMs.values()].at(-1) ?? unknownLoadMs;
      // A load that takes longer than expected may take as long again.
      remainingMs += elapsedMs < expectedMs ? expectedMs - elapsedMs : elapsedMs;
    }
    return Math.min(longestRetrySeconds, Math.max(1, Math.ceil(remainingMs / 1000)));
  }
}
