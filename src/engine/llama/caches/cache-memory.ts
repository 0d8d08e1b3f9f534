/** Something that takes memory and can be dropped. */
export interface Droppable {
  readonly bytes: number;
  drop(): void;
}

/** Memory that the kept caches of all models share: the ones that were not used for longest make room. */
export class CacheMemory {
  readonly #budgetBytes: number;
  /** Least recently used first. */
  readonly #kept = new Set<Droppable>();
  #usedBytes = 0;

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Whether so much could be kept at all. */
  holds(bytes: number): boolean {
    return bytes <= this.#budgetBytes;
  }

  /** Keeps one more; drops it at once, and nothing else, when it is larger than all the memory. */
  add(entry: Droppable): void {
    if (!this.holds(entry.bytes)) {
      entry.drop();
      return;
    }
    this.#kept.add(entry);
    this.#usedBytes += entry.bytes;
    for (const oldest of this.#kept) {
      if (this.#usedBytes <= this.#budgetBytes) break;
      this.remove(oldest);
    }
  }

  /** Makes it the most recently used one. */
  touch(entry: Droppable): void {
    if (this.#kept.delete(entry)) this.#kept.add(entry);
  }

  remove(entry: Droppable): void {
    if (!this.#kept.delete(entry)) return;
    this.#usedBytes -= entry.bytes;
    entry.drop();
  }
}
