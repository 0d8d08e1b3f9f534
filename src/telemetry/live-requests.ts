/** Metered work that has not ended, without anything that its client wrote. */
export interface LiveRequest {
  readonly id: string;
  /** The path as documented. */
  readonly route: string;
  readonly model: string;
  readonly keyId: string;
  /** The batch of which it is a line. */
  readonly batchId: string | undefined;
  /** On the monotonic clock of `performance.now()`. */
  readonly arrivedAtMs: number;
  /** Ends it for its client with the error request_cancelled. */
  readonly cancel: () => void;
  /** When the model began with it; undefined: it waits. */
  startedAtMs?: number;
  /** Tokens of output so far, as they will be charged. */
  tokens: number;
  /** When the first of them came, and how many came with it. */
  first?: { readonly atMs: number; readonly tokens: number };
}

/** The requests that models answer now, and those that wait for one. */
export class LiveRequests {
  readonly #requests = new Set<LiveRequest>();

  /** Adds a request, until `end` is called with the value that comes back. */
  begin(request: Omit<LiveRequest, 'tokens' | 'startedAtMs' | 'first'>): LiveRequest {
    const live = { ...request, tokens: 0 };
    this.#requests.add(live);
    return live;
  }

  end(live: LiveRequest): void {
    this.#requests.delete(live);
  }

  /** Cancels the work of the request `id`, and returns it; undefined: it has none, or no longer. */
  cancel(id: string): LiveRequest | undefined {
    const live = this.all.find((one) => one.id === id);
    live?.cancel();
    return live;
  }

  /** All, oldest first. */
  get all(): readonly LiveRequest[] {
    return [...this.#requests];
  }
}

/** Notes that the model has begun with `live`. */
export function noteStarted(live: LiveRequest): void {
  live.startedAtMs ??= performance.now();
}

/** Notes that there are `tokens` of output by now. */
export function noteTokens(live: LiveRequest, tokens: number): void {
  live.tokens = tokens;
  live.first ??= { atMs: performance.now(), tokens };
}

/** Tokens of output per second since the first ones; 0 until there are more. */
export function tokensPerSecond({ tokens, first }: LiveRequest): number {
  if (first === undefined) return 0;
  const seconds = (performance.now() - first.atMs) / 1000;
  return seconds > 0 ? (tokens - first.tokens) / seconds : 0;
}
