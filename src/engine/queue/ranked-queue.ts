import { FairQueue } from './fair-queue.ts';
import type { Caller } from './waiting-room.ts';

/** A fair queue for requests that somebody waits for, and one for all others, whose turns come while it is empty. */
export class RankedQueue<Item> {
  readonly #awaited = new FairQueue<Item>();
  readonly #background = new FairQueue<Item>();

  get size(): number {
    return this.#awaited.size + this.#background.size;
  }

  /** Those that somebody waits for. */
  get awaitedSize(): number {
    return this.#awaited.size;
  }

  /** The items that wait, in any order. */
  *[Symbol.iterator](): Iterator<Item> {
    yield* this.#awaited;
    yield* this.#background;
  }

  /** `goesOn`: before all others of its key. */
  push(caller: Caller, item: Item, goesOn = false): void {
    this.#of(caller).push(caller.keyId, item, goesOn);
  }

  /** The next item for which `mayGo` is true; it counts as active until `retire`. Undefined when there is none. */
  pop(mayGo?: (item: Item) => boolean): Item | undefined {
    return this.#awaited.pop(mayGo) ?? this.#background.pop(mayGo);
  }

  /** The next item, which goes on waiting. */
  peek(): Item | undefined {
    return this.#awaited.peek() ?? this.#background.peek();
  }

  /** Takes a waiting item out; false when it was not waiting. */
  remove(item: Item): boolean {
    return this.#awaited.remove(item) || this.#background.remove(item);
  }

  charge(caller: Caller, tokens: number): void {
    this.#of(caller).charge(caller.keyId, tokens);
  }

  /** Tells that a popped item of this caller is done. */
  retire(caller: Caller): void {
    this.#of(caller).retire(caller.keyId);
  }

  #of({ isBackground = false }: Caller): FairQueue<Item> {
    return isBackground ? this.#background : this.#awaited;
  }
}
