import { performance } from 'node:perf_hooks';

/** How long a part may run before other work gets its turn. */
const sliceMs = 4;

/** Parts of long work on the main thread, with other work between them. */
export class Slices {
  #begunAtMs = performance.now();

  /** True when the current part has run long enough, so that `next` should be awaited. */
  get isOver(): boolean {
    return performance.now() - this.#begunAtMs > sliceMs;
  }

  /** Resolves when other work has had its turn. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#begunAtMs = performance.now();
  }
}
