import { performance } from 'node:perf_hooks';

/** After so long other work gets its turn. */
const sliceMs = 4;

/** Parts of long work on the main thread, with other work between them. */
export class Slices {
  #begunAtMs = performance.now();

  /** The part that is under way took long enough: `next` should be awaited. */
  get isOver(): boolean {
    return performance.now() - this.#begunAtMs > sliceMs;
  }

  /** Resolves when other work has had its turn. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#begunAtMs = performance.now();
  }
}
