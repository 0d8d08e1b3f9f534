interface Waiting<Item> {
  readonly keyId: string;
  readonly item: Item;
}

/**
 * A queue in which the key that was served least goes first; within a key, first in, first out. The amounts that
 * `charge` is told count as served, such as tokens. A key that begins to wait counts as served at least as much as the last key
 * whose turn came was then, so that an idle key saves up no turns.
 */
export class FairQueue<Item> {
  readonly #waiting: Waiting<Item>[] = [];
  readonly #served = new Map<string, number>();
  /** Requests of each key that are waiting or running. */
  readonly #active = new Map<string, number>();
  /** How much the key whose turn came last had been served by then; never falls while a key is active. */
  #level = 0;

  get size(): number {
    return this.#waiting.length;
  }

  /** The items that wait, in any order. */
  *[Symbol.iterator](): Iterator<Item> {
    for (const { item } of this.#waiting) yield item;
  }

  /** `goesOn`: the item comes before all others of its key. */
  push(keyId: string, item: Item, goesOn = false): void {
    if (!this.#waiting.some((waiting) => waiting.keyId === keyId))
      this.#served.set(keyId, Math.max(this.#servedBy(keyId), this.#level));
    this.#active.set(keyId, (this.#active.get(keyId) ?? 0) + 1);
    if (goesOn) this.#waiting.unshift({ keyId, item });
    else this.#waiting.push({ keyId, item });
  }

  /** The next item for which `mayGo` is true; it counts as active until `retire`. Undefined when there is none. */
  pop(mayGo?: (item: Item) => boolean): Item | undefined {
    const next = this.#next(mayGo);
    if (next === undefined) return undefined;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#level = this.#servedBy(next.keyId);
    return next.item;
  }

  /** The next item, which goes on waiting. */
  peek(): Item | undefined {
    return this.#next()?.item;
  }

  #next(mayGo: (item: Item) => boolean = () => true): Waiting<Item> | undefined {
    let next: Waiting<Item> | undefined;
    for (const waiting of this.#waiting)
      if (
        (next === undefined || this.#servedBy(waiting.keyId) < this.#servedBy(next.keyId)) &&
        mayGo(waiting.item)
      )
        next = waiting;
    return next;
  }

  /** Takes a waiting item out; false when it was not waiting. */
  remove(item: Item): boolean {
    const index = this.#waiting.findIndex((waiting) => waiting.item === item);
    const [removed] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (removed !== undefined) this.retire(removed.keyId);
    return removed !== undefined;
  }

  charge(keyId: string, tokens: number): void {
    this.#served.set(keyId, this.#servedBy(keyId) + tokens);
  }

  /** Tells that a popped item of this key is done. */
  retire(keyId: string): void {
    const left = (this.#active.get(keyId) ?? 0) - 1;
    if (left > 0) this.#active.set(keyId, left);
    else this.#active.delete(keyId);
    if (this.#active.size > 0) return;
    // Counting starts again when no key is active, so that the map cannot grow for ever.
    this.#served.clear();
    this.#level = 0;
  }

  #servedBy(keyId: string): number {
    return this.#served.get(keyId) ?? 0;
  }
}
