import { waitFor } from './wait-for.ts';

interface Flight<Result, Progress> {
  readonly result: Promise<Result>;
  readonly listeners: Set<(progress: Progress) => void>;
  readonly controller: AbortController;
  callers: number;
}

/** How one caller takes part. */
export interface FlightOptions<Progress> {
  /** Its abort ends this caller's part only; the work goes on while others want it. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Work that runs once for all who want the same at the same time, and ends when the last of them has left. */
export class SingleFlight<Result, Progress> {
  readonly #flights = new Map<string, Flight<Result, Progress>>();

  /**
   * The result of the work of `key`, which `start` begins unless it runs already. Rejects as the work does, or with
   * the signal's reason once it aborts.
   */
  async join(
    key: string,
    start: (signal: AbortSignal, onProgress: (progress: Progress) => void) => Promise<Result>,
    { signal, onProgress }: FlightOptions<Progress>,
  ): Promise<Result> {
    signal?.throwIfAborted();
    const flight = this.#flights.get(key) ?? this.#begin(key, start);
    flight.callers++;
    if (onProgress !== undefined) flight.listeners.add(onProgress);
    try {
      return await waitFor(flight.result, { signal });
    } finally {
      if (onProgress !== undefined) flight.listeners.delete(onProgress);
      flight.callers--;
      if (flight.callers === 0) {
        // The last caller has left, so the work stops. A new caller must not join it, and its error is ignored.
        this.#forget(key, flight);
        flight.controller.abort();
        await flight.result.catch(() => undefined);
      }
    }
  }

  #begin(
    key: string,
    start: (signal: AbortSignal, onProgress: (progress: Progress) => void) => Promise<Result>,
  ): Flight<Result, Progress> {
    const listeners: Flight<Result, Progress>['listeners'] = new Set();
    const controller = new AbortController();
    const tell = (progress: Progress): void => listeners.forEach((listener) => listener(progress));
    const flight = { result: start(controller.signal, tell), listeners, controller, callers: 0 };
    this.#flights.set(key, flight);
    const forget = (): void => this.#forget(key, flight);
    void flight.result.then(forget, forget);
    return flight;
  }

  #forget(key: string, flight: Flight<Result, Progress>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
