import { performance } from 'node:perf_hooks';

/** After so long other work gets its turn. */
const sliceMs = 4;

/** What waits for its next part, in the order in which it came. */
const waiting: (() => void)[] = [];

/**
 * Parts of long work on the main thread, with other work between them. However many such works there are, one part
 * runs per turn of the event loop: a request that needs none waits for one part, not for one of each.
 */
export class Slices {
  #begunAtMs = performance.now();

  /** The part that is under way took long enough: `next` should be awaited. */
  get isOver(): boolean {
    return performance.now() - this.#begunAtMs > sliceMs;
  }

  /** Resolves when it is this work's turn again. */
  async next(): Promise<void> {
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
