/** The running work of an engine. Closing waits for it, and stops it when the time is up. */
export class RunningWork {
  /** Promises that never reject, each with the function that ends its work early. */
  readonly #running = new Map<Promise<unknown>, () => void>();
  #closed: Promise<void> | undefined;

  /** True from `close` on: nothing new should begin. */
  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  /** Returns `work`, which must never reject; `stop` makes it end soon and may be called more than once. */
  add<Result>(work: Promise<Result>, stop: () => void): Promise<Result> {
    this.#running.set(work, stop);
    void work.then(() => this.#running.delete(work));
    return work;
  }

  /** Lets the work go on until `graceMs` passed, then stops it; resolves when all of it has ended. */
  close(graceMs: number): Promise<void> {
    this.#closed ??= this.#close(graceMs);
    return this.#closed;
  }

  async #close(graceMs: number): Promise<void> {
    const grace = Promise.withResolvers<void>();
    const timer = setTimeout(() => grace.resolve(), graceMs);
    await Promise.race([Promise.all(this.#running.keys()), grace.promise]);
    clearTimeout(timer);
    for (const stop of this.#running.values()) stop();
    await Promise.all(this.#running.keys());
  }
}
