interface Waiting<Item> {
  readonly keyId: string;
  readonly item: Item;
}

/**
 * A queue in which the key that was served least goes first; within a key, first in, first out.
 * "Served" counts tokens. A key that comes back after a pause starts level with the least served of those that
 * are active: it can neither save up turns nor be made to pay for the past.
 */
export class FairQueue<Item> {
  readonly #waiting: Waiting<Item>[] = [];
  readonly #served = new Map<string, number>();
  /** Requests of each key that are waiting or running. */
  readonly #active = new Map<string, number>();

  get size(): number {
    return this.#waiting.length;
  }

  push(keyId: string, item: Item): void {
    if (!this.#active.has(keyId)) {
      const floor = Math.min(...[...this.#active.keys()].map((key) => this.#servedBy(key)));
      if (Number.isFinite(floor)) this.#served.set(keyId, Math.max(this.#servedBy(keyId), floor));
    }
    this.#active.set(keyId, (this.#active.get(keyId) ?? 0) + 1);
    this.#waiting.push({ keyId, item });
  }

  /** The next item, which counts as active until `retire`; undefined when none waits. */
  pop(): Item | undefined {
    let next = 0;
    for (let index = 1; index < this.#waiting.length; index++) {
      if (this.#servedAt(index) < this.#servedAt(next)) next = index;
    }
    return this.#waiting.splice(next, 1)[0]?.item;
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
    // With nobody active there is nobody to be fair to: start again, so that the map cannot grow for ever.
    if (this.#active.size === 0) this.#served.clear();
  }

  #servedBy(keyId: string): number {
    return this.#served.get(keyId) ?? 0;
  }

  #servedAt(index: number): number {
    const waiting = this.#waiting[index];
    return waiting === undefined ? Number.POSITIVE_INFINITY : this.#servedBy(waiting.keyId);
  }
}
