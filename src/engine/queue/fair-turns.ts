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
  /** Most pieces of work of one account at the same time; default: as many as there are. */
  readonly mostPerAccount?: number;
}

/** Counts work against a key, in tokens or in seconds of audio: each model counts in one of the two. */
type Charge = (amount: number) => void;

interface Waiting {
  readonly accountId: string;
  readonly begin: () => void;
}

/**
 * Runs a limited number of pieces of work at a time. Of those that wait, the key that was served least comes next, and
 * requests in the background only when no other waits. When too many wait, the caller with most of them loses one.
 */
export class FairTurns {
  readonly #limits: TurnLimits;
  readonly #queue = new RankedQueue<Waiting>();
  readonly #room = new WaitingRoom();
  #running = 0;
  /** Pieces of work that run, by account. */
  readonly #ofAccounts = new Map<string, number>();
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
   * The result of `work`, which runs when it is the turn of `caller`. Between its parts `work` may call `pass`, which
   * lets other accounts go first that were served less. Work that waits there keeps its place before later work of its
   * key. Throws server_overloaded, or the reason of `signal` when it is aborted before the turn.
   */
  async take<Result>(
    caller: Caller,
    signal: AbortSignal,
    work: (charge: Charge, pass: () => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    await this.#wait(caller, signal);
    const startedAt = performance.now();
    let isRunning = true;
    const pass = async () => {
      const isOther = ({ accountId }: Waiting) => accountId !== caller.accountId;
      if (![...this.#queue].some((waiting) => isOther(waiting) && this.#mayBegin(waiting))) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiting = this.#push(caller, resolve, true);
      this.#end(caller);
      isRunning = false;
      await waitFor(promise, { signal, leave: () => this.#queue.remove(waiting) });
      isRunning = true;
    };
    try {
      return await work((amount) => this.#queue.charge(caller, amount), pass);
    } finally {
      const turnMs = performance.now() - startedAt;
      this.#meanTurnMs ??= turnMs;
      this.#meanTurnMs += (turnMs - this.#meanTurnMs) / 8;
      if (isRunning) this.#end(caller);
    }
  }

  #push(caller: Caller, begin: () => void, goesOn = false): Waiting {
    const waiting = { accountId: caller.accountId, begin };
    this.#queue.push(caller, waiting, goesOn);
    return waiting;
  }

  #end(caller: Caller): void {
    this.#running--;
    const left = this.#runningOf(caller.accountId) - 1;
    if (left > 0) this.#ofAccounts.set(caller.accountId, left);
    else this.#ofAccounts.delete(caller.accountId);
    this.#queue.retire(caller);
    this.#beginNext();
  }

  #runningOf(accountId: string): number {
    return this.#ofAccounts.get(accountId) ?? 0;
  }

  #mayBegin({ accountId }: { readonly accountId: string }): boolean {
    return this.#runningOf(accountId) < (this.#limits.mostPerAccount ?? this.#limits.parallel);
  }

  /** Counts the next piece of work as running before its promise resolves, so that no other takes its turn. */
  #beginNext(): void {
    const next = this.#queue.pop((waiting) => this.#mayBegin(waiting));
    if (next === undefined) return;
    this.#running++;
    this.#ofAccounts.set(next.accountId, this.#runningOf(next.accountId) + 1);
    next.begin();
  }

  async #wait(caller: Caller, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { parallel, queueLimit, queueTimeoutMs } = this.#limits;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const isFree = this.#running < parallel && this.#mayBegin(caller);
    if (isFree) {
      this.#push(caller, resolve);
      this.#beginNext();
      return;
    }
    let waiting: Waiting | undefined;
    const leave = () => waiting !== undefined && this.#queue.remove(waiting);
    if (caller.isPaced === true) {
      waiting = this.#push(caller, resolve);
      return await waitFor(promise, { signal, leave });
    }
    const tooMany = () => tooManyWait(this.#expectedWaitMs());
    const giveWay = () => {
      if (leave()) reject(tooMany());
    };
    const leaveRoom = this.#room.enter(caller, queueLimit, giveWay);
    if (leaveRoom === undefined) throw tooMany();
    waiting = this.#push(caller, resolve);
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
