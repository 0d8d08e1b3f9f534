/** Who asks: what is scarce is shared among accounts, and what an account gets among its keys. */
export interface Caller {
  readonly accountId: string;
  /** API key: the unit of the fair queues. */
  readonly keyId: string;
}

interface Seat {
  readonly caller: Caller;
  readonly giveWay: () => void;
}

/**
 * The places of those that wait for something that all share. When all are taken, somebody with few places gets one
 * of whoever has most: of the account that has most of them, the key that has most, what came last.
 */
export class WaitingRoom {
  /** In the order of their coming. */
  readonly #seats = new Set<Seat>();

  get size(): number {
    return this.#seats.size;
  }

  /**
   * A function that gives the place of `caller` back; undefined where all `places` are taken and nobody has so many
   * that one should be taken away. `giveWay` is called, at most once and instead of that function, when the place goes
   * to somebody else.
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

  /** A taken seat that `caller` should have rather than who has it. */
  #seatFor({ accountId, keyId }: Caller): Seat | undefined {
    const seats = [...this.#seats];
    const account = longerThan(accountId, seats, accountOf) ?? accountId;
    const ofAccount = seats.filter((seat) => accountOf(seat) === account);
    // Between accounts any key of the other one may give way; within one only a key that has more.
    const key =
      account === accountId ? longerThan(keyId, ofAccount, keyOf) : longerThan(undefined, ofAccount, keyOf);
    return ofAccount.findLast((seat) => keyOf(seat) === key);
  }
}

const accountOf = ({ caller }: Seat) => caller.accountId;
const keyOf = ({ caller }: Seat) => caller.keyId;

/** The name that has most of `seats`, unless it had no more than `name` once one has changed hands. */
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
