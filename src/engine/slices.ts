import { performance } from 'node:perf_hooks';

/** How long a part may run before other work gets its turn. */
const sliceMs = 4;

/** What waits for its next part, in the order in which it came. */
const waiting: (() => void)[] = [];

/**
 * Parts of long work on the main thread, with other work between them. However many such works there are, one part
 * runs per turn of the event loop: a request that needs none waits for one part, not for one of each.
 */
export class Slices {
  #begunAtMs = performance.now();
  /** Of the parts that are over. */
  #doneMs = 0;

  /** True when the current part has run long enough, so that `next` should be awaited. */
  get isOver(): boolean {
    return performance.now() - this.#begunAtMs > sliceMs;
  }

  /** How long all parts together took so far, without what came between them. */
  get spentMs(): number {
    return this.#doneMs + performance.now() - this.#begunAtMs;
  }

  /** Resolves when it is this work's turn again. */
  async next(): Promise<void> {
    this.#doneMs = this.spentMs;
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(beginNext);
    });
    this.#begunAtMs = performance.now();
  }
}

function beginNext(): void {
  const begin = waiting.shift();
  // Set from within a callback of setImmediate, so it runs in the next turn.
  if (waiting.length > 0) setImmediate(beginNext);
  begin?.();
}
