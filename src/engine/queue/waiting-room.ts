/** Who asks: slots and turns are shared among accounts, and the share of an account among its keys. */
export interface Caller {
  readonly accountId: string;
  /** API key: the unit of the fair queues. */
  readonly keyId: string;
  /** Nobody waits for the answer: it gives way to all other requests. */
  readonly isBackground?: boolean | undefined;
  /** A line of a batch, of which there are never more than run at once: it waits for ever, and takes nobody's place. */
  readonly isPaced?: boolean | undefined;
}

interface Seat {
  readonly caller: Caller;
  readonly giveWay: () => void;
}

/**
 * A limited number of places for requests that wait. When all are taken, a caller with few places gets one from the
 * account that has most of them: the place that was taken last by that account's key with most places.
 */
export class WaitingRoom {
  /** In the order in which they were taken. */
  readonly #seats = new Set<Seat>();

  get size(): number {
    return this.#seats.size;
  }

  /**
   * A function that gives the place back; undefined when all `places` are taken and no other caller has enough of them
   * to lose one. `giveWay` is called at most once, when the place goes to another caller and need not be given back.
   */
  enter(caller: Caller, places: number, giveWay: () => void): (() => void) | undefined {
    if (this.#seats.size >= places) {
      const seat = this.#seatFor(caller);
      if (seat === undefined) return undefined;
      this.#seats.delete(seat);
      seat.giveWay();
    }
    const seat: Seat = { caller, giveWay };
    this.#seats.add(seat);
    return () => void this.#seats.delete(seat);
  }

  /** The taken seat that should go to the caller; undefined when there is none. */
  #seatFor({ accountId, keyId }: Caller): Seat | undefined {
    const seats = [...this.#seats];
    const account = longerThan(accountId, seats, accountOf) ?? accountId;
    const ofAccount = seats.filter((seat) => accountOf(seat) === account);
    // Of another account the key with most seats gives way; within one account only a key with more seats than the caller.
    const key =
      account === accountId ? longerThan(keyId, ofAccount, keyOf) : longerThan(undefined, ofAccount, keyOf);
    return ofAccount.findLast((seat) => keyOf(seat) === key);
  }
}

const accountOf = ({ caller }: Seat) => caller.accountId;
const keyOf = ({ caller }: Seat) => caller.keyId;

/** The name with most of `seats`; undefined unless it has at least two more than `name`, where that is given. */
function longerThan(
  name: string | undefined,
  seats: readonly Seat[],
  nameOf: (seat: Seat) => string,
): string | undefined {
  const counts = new Map<string, number>();
  for (const seat of seats) counts.set(nameOf(seat), (counts.get(nameOf(seat)) ?? 0) + 1);
  let [longest, most]: [string | undefined, number] = [undefined, 0];
  for (const [other, count] of counts) if (count > most) [longest, most] = [other, count];
  if (name === undefined) return longest;
  return most - 1 > (counts.get(name) ?? 0) ? longest : undefined;
}
