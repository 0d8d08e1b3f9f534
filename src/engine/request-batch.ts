import { once } from 'node:events';

/** Requests that are asked as one: none is computed before all are found good. */
export class RequestBatch {
  #missing: number;
  readonly #complete = Promise.withResolvers<void>();

  constructor(size: number) {
    this.#missing = size;
  }

  /** To be called once by each request that is found good. Resolves when all have done so, or `signal` is aborted. */
  async join(signal: AbortSignal): Promise<void> {
    this.#missing--;
    if (this.#missing === 0) this.#complete.resolve();
    if (signal.aborted) return;
    const joined = new AbortController();
    const left = once(signal, 'abort', { signal: joined.signal }).catch(() => undefined);
    await Promise.race([this.#complete.promise, left]);
    joined.abort();
  }
}
