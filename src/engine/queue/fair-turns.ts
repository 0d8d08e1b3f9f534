import { overloaded, tooManyWait } from '../../errors/unavailable.ts';
import { waitFor } from '../../timing/wait-for.ts';
import { RankedQueue } from './ranked-queue.ts';
import { WaitingRoom, type Caller } from './waiting-room.ts';

export interface TurnLimits {
  /** Pieces of work at the same time. */
  readonly parallel: number;
  /** Most that may wait for their turn. */
  readonly queueLimit: number;
  readonly queueTimeoutMs: number;
}

/**
 * Runs a limited number of pieces of work at a time. Of those that wait, the key that was served least comes next, and
 * requests in the background only when no other waits. When too many wait, the caller with most of them loses one.
 */
export class FairTurns {
  readonly #limits: TurnLimits;
  readonly #queue = new RankedQueue<() => void>();
  readonly #room = new WaitingRoom();
  #running = 0;
  /** Mean time that turns took, the newest weighing most; undefined until one ended. */
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
   * The result of `work`, which runs when it is the turn of `caller`. `work` calls `charge` with the tokens or the
   * seconds of audio that count against the key: each model counts in one of the two. Throws server_overloaded, or the
   * reason of `signal` when it is aborted before the turn.
   */
  async take<Result>(
    caller: Caller,
    signal: AbortSignal,
    work: (charge: (amount: number) => void) => Promise<Result>,
  ): Promise<Result> {
    await this.#wait(caller, signal);
    const startedAt = performance.now();
    try {
      return await work((amount) => this.#queue.charge(caller, amount));
    } finally {
      this.#running--;
      const turnMs = performance.now() - startedAt;
      this.#meanTurnMs ??= turnMs;
      this.#meanTurnMs += (turnMs - this.#meanTurnMs) / 8;
      this.#queue.retire(caller);
      this.#beginNext();
    }
  }

  /** Counts the next piece of work as running before its promise resolves, so that no other takes its turn. */
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
      this.#queue.push(caller, resolve);
      this.#beginNext();
      return;
    }
    const leave = () => this.#queue.remove(resolve);
    if (caller.isBackground === true) {
      this.#queue.push(caller, resolve);
      return await waitFor(promise, { signal, leave });
    }
    const tooMany = () => tooManyWait(this.#expectedWaitMs());
    const giveWay = () => {
      if (leave()) reject(tooMany());
    };
    const leaveRoom = this.#room.enter(caller, queueLimit, giveWay);
    if (leaveRoom === undefined) throw tooMany();
    this.#queue.push(caller, resolve);
    const timeoutError = () => overloaded('The model did not become free in time.', queueTimeoutMs);
    try {
      await waitFor(promise, { signal, timeoutMs: queueTimeoutMs, timeoutError, leave });
    } finally {
      leaveRoom();
    }
  }

  #expectedWaitMs(): number {
    return (this.#queue.awaitedSize * (this.#meanTurnMs ?? 0)) / this.#limits.parallel;
  }
}
