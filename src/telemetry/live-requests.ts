/** Metered work that has not ended, without anything that its client wrote. */
export interface LiveRequest {
  readonly id: string;
  /** The path as documented. */
  readonly route: string;
  readonly model: string;
  readonly keyId: string;
  /** On the monotonic clock of `performance.now()`. */
  readonly arrivedAtMs: number;
  /** When the model began with it; undefined: it waits. */
  startedAtMs?: number;
  /** Pieces of output so far, about one per token. */
  pieces: number;
  firstPieceAtMs?: number;
}

/** The requests that models answer now, and those that wait for one. */
export class LiveRequests {
  readonly #requests = new Set<LiveRequest>();

  /** Adds a request, until `end` is called with what comes back. */
  begin(request: Omit<LiveRequest, 'pieces' | 'startedAtMs' | 'firstPieceAtMs'>): LiveRequest {
    const live = { ...request, pieces: 0 };
    this.#requests.add(live);
    return live;
  }

  end(live: LiveRequest): void {
    this.#requests.delete(live);
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

/** Notes one more piece of output. */
export function notePiece(live: LiveRequest): void {
  live.pieces += 1;
  live.firstPieceAtMs ??= performance.now();
}

/** Pieces of output per second since the first one; 0 before the second. */
export function piecesPerSecond({ pieces, firstPieceAtMs }: LiveRequest): number {
  const seconds = firstPieceAtMs === undefined ? 0 : (performance.now() - firstPieceAtMs) / 1000;
  return pieces > 1 && seconds > 0 ? (pieces - 1) / seconds : 0;
}
