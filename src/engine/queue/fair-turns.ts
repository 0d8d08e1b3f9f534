import { AppError } from '../../errors.ts';
import { waitFor } from '../../wait-for.ts';
import { FairQueue } from './fair-queue.ts';
import { WaitingRoom, type Caller } from './waiting-room.ts';

export interface TurnLimits {
  /** Pieces of work at the same time. */
  readonly parallel: number;
  /** Most that may wait for their turn. */
  readonly queueLimit: number;
  readonly queueTimeoutMs: number;
}

/**
 * Lets so many pieces of work run at a time; of those that wait, first the key that was served least. When too many
 * wait, whoever has most of them waiting gives way.
 */
export class FairTurns {
  readonly #limits: TurnLimits;
  readonly #queue = new FairQueue<() => void>();
  readonly #room = new WaitingRoom();
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
   * What `work` gives, once `caller` had its turn; `work` says how many seconds of audio to charge to its key.
   * Throws server_overloaded, or `signal`'s reason where it aborts before.
   */
  async take<Result>(
    caller: Caller,
    signal: AbortSignal,
    work: (charge: (audioSeconds: number) => void) => Promise<Result>,
  ): Promise<Result> {
    const { keyId } = caller;
    await this.#wait(caller, signal);
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
    next();
  }

  async #wait(caller: Caller, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { parallel, queueLimit, queueTimeoutMs } = this.#limits;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const isFree = this.#running < parallel;
    if (isFree) {
      this.#queue.push(caller.keyId, resolve);
      this.#beginNext();
      return;
    }
    const leave = () => this.#queue.remove(resolve);
    const tooMany = () =>
      overloaded('Too many requests wait for this model already.', this.#expectedWaitMs());
    const giveWay = () => {
      if (leave()) reject(tooMany());
    };
    const leaveRoom = this.#room.enter(caller, queueLimit, giveWay);
    if (leaveRoom === undefined) throw tooMany();
    this.#queue.push(caller.keyId, resolve);
    const timeoutError = () => overloaded('The model did not become free in time.', queueTimeoutMs);
    try {
      await waitFor(promise, { signal, timeoutMs: queueTimeoutMs, timeoutError, leave });
    } finally {
      leaveRoom();
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
