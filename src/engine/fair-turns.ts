import { AppError } from '../errors.ts';
import { FairQueue } from './fair-queue.ts';

export interface TurnLimits {
  /** Pieces of work at the same time. */
  readonly parallel: number;
  /** Most that may wait for their turn. */
  readonly queueLimit: number;
  readonly queueTimeoutMs: number;
}

interface Waiting {
  readonly keyId: string;
  readonly begin: () => void;
}

/** Lets so many pieces of work run at a time; of those that wait, first the key that was served least. */
export class FairTurns {
  readonly #limits: TurnLimits;
  readonly #queue = new FairQueue<Waiting>();
  #running = 0;
  /** How long the last turns took, newest weighing most; undefined until one ended. */
  #meanTurnMs: number | undefined;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * What `work` gives, once it had its turn; `work` says how many seconds of audio to charge to the key.
   * Throws server_overloaded, or `signal`'s reason where it aborts before.
   */
  async take<Result>(
    keyId: string,
    signal: AbortSignal,
    work: (charge: (audioSeconds: number) => void) => Promise<Result>,
  ): Promise<Result> {
    await this.#wait(keyId, signal);
    const startedAt = performance.now();
    try {
      return await work((audioSeconds) => this.#queue.charge(keyId, audioSeconds));
    } finally {
      this.#running--;
      const turnMs = performance.now() - startedAt;
      this.#meanTurnMs ??= turnMs;
      this.#meanTurnMs += (turnMs - this.#meanTurnMs) / 8;
      this.#queue.retire(keyId);
      this.#beginNext();
    }
  }

  /** Counted here and not where it goes on, so that nobody slips in between. */
  #beginNext(): void {
    const next = this.#queue.pop();
    if (next === undefined) return;
    this.#running++;
    next.begin();
  }

  async #wait(keyId: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { parallel, queueLimit, queueTimeoutMs } = this.#limits;
    const isFull = this.#running >= parallel;
    if (isFull && this.#queue.size >= queueLimit)
      throw overloaded('Too many requests wait for this model already.', this.#expectedWaitMs());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { keyId, begin: resolve };
    this.#queue.push(keyId, waiting);
    if (!isFull) {
      this.#beginNext();
      return;
    }
    const leave = (error: unknown) => {
      if (this.#queue.remove(waiting)) reject(error);
    };
    const onAbort = () => leave(signal.reason);
    signal.addEventListener('abort', onAbort);
    const giveUp = setTimeout(
      () => leave(overloaded('The model did not become free in time.', queueTimeoutMs)),
      queueTimeoutMs,
    );
    try {
      await promise;
    } finally {
      clearTimeout(giveUp);
      signal.removeEventListener('abort', onAbort);
    }
  }

  #expectedWaitMs(): number {
    return (this.#queue.size * (this.#meanTurnMs ?? 0)) / this.#limits.parallel;
  }
}

function overloaded(what: string, waitMs: number): AppError {
  return new AppError('server_overloaded', `${what} Try again later.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}
