import { performance } from 'node:perf_hooks';
import { nextTurn } from './next-turn.ts';

/** How long a part may run before other work gets its turn. */
const sliceMs = 4;

/** Parts of long work on the main thread, with other work between them: one part runs per turn of the event loop. */
export class Slices {
  #begunAtMs = performance.now();
  /** Of the parts that are over. */
  #doneMs = 0;

  /** True when the current part has run long enough, so that `next` should be awaited. */
  get isOver(): boolean {
    return performance.now() - this.#begunAtMs > sliceMs;
  }

  /** How long all parts together took so far, without the time between them. */
  get spentMs(): number {
    return this.#doneMs + performance.now() - this.#begunAtMs;
  }

  /** Resolves when it is this work's turn again. */
  async next(): Promise<void> {
    this.#doneMs = this.spentMs;
    await nextTurn();
    this.#begunAtMs = performance.now();
  }
}
