import { shuttingDown } from '../../errors/unavailable.ts';
import { waitFor } from '../../timing/wait-for.ts';

/** The work of an engine that is under way, so that closing the engine can wait for it, or end it after a while. */
export class RunningWork {
  /** Promises that never reject, each with a function that ends its work early. */
  readonly #running = new Map<Promise<unknown>, () => void>();
  readonly #stopping = new AbortController();
  #closed: Promise<void> | undefined;

  /** True once `close` was called: nothing new should begin. */
  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  /** Returns `work`, which must never reject; `stop` makes it end soon and may be called more than once. */
  add<Result>(work: Promise<Result>, stop: () => void): Promise<Result> {
    this.#running.set(work, stop);
    void work.then(() => this.#running.delete(work));
    return work;
  }

  /**
   * How `work` ended, whose signal aborts with `leaving`, or when it is stopped. Work that nobody but the server wanted to
   * end has failed with server_shutting_down. `work` must never reject.
   */
  run<End extends { readonly outcome: string }>(
    leaving: AbortSignal,
    work: (signal: AbortSignal) => Promise<End>,
  ) {
    const ended = work(AbortSignal.any([leaving, this.#stopping.signal])).then((end) =>
      end.outcome !== 'aborted' || leaving.aborted
        ? end
        : { ...end, outcome: 'failed' as const, error: shuttingDown() },
    );
    return this.add(ended, () => this.#stopping.abort());
  }

  /** Resolves when all work has ended. It may go on for `graceMs`, then it is stopped. */
  close(graceMs: number): Promise<void> {
    this.#closed ??= this.#close(graceMs);
    return this.#closed;
  }

  async #close(graceMs: number): Promise<void> {
    const allEnded = Promise.all(this.#running.keys());
    await waitFor(allEnded, { timeoutMs: graceMs, timeoutError: shuttingDown }).catch(() => undefined);
    for (const stop of this.#running.values()) stop();
    await Promise.all(this.#running.keys());
  }
}
