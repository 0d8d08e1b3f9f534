import { waitFor } from '../../wait-for.ts';

/** Work that several wait for; it is given up when the last of them has left. */
export class SharedWork<Result> {
  readonly #result: Promise<Result>;
  readonly #leaving = new AbortController();
  #waiting = 0;

  constructor(begin: (signal: AbortSignal) => Promise<Result>) {
    this.#result = begin(this.#leaving.signal);
    // Those who wait hear of it; where nobody does any more, nobody needs to.
    this.#result.catch(() => undefined);
  }

  /** Nobody waits for it any more, and it will bring nothing. */
  get isGivenUp(): boolean {
    return this.#leaving.signal.aborted;
  }

  /** What the work brings; throws what it throws, or the signal's reason. */
  async wait(signal: AbortSignal | undefined): Promise<Result> {
    signal?.throwIfAborted();
    this.#waiting++;
    try {
      return await waitFor(this.#result, { signal });
    } finally {
      if (--this.#waiting === 0) this.#leaving.abort();
    }
  }
}
