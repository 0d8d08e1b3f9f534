/** Something that takes memory and can be dropped. */
export interface Droppable {
  readonly bytes: number;
  drop(): void;
}

/** Memory that the kept caches of all models share: the least recently used ones are dropped to make room. */
export class CacheMemory {
  #budgetBytes: number;
  /** Least recently used first. */
  readonly #kept = new Set<Droppable>();
  #usedBytes = 0;

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Bytes that can be added without dropping anything. */
  get freeBytes(): number {
    return Math.max(0, this.#budgetBytes - this.#usedBytes);
  }

  /** True when `bytes` fit into an empty memory. */
  holds(bytes: number): boolean {
    return bytes <= this.#budgetBytes;
  }

  /** Keeps one more. One that is larger than the whole memory is dropped at once, and nothing else. */
  add(entry: Droppable): void {
    if (!this.holds(entry.bytes)) {
      entry.drop();
      return;
    }
    this.#kept.add(entry);
    this.#usedBytes += entry.bytes;
    this.#shrink();
  }

  /** Changes how much it may hold. */
  resize(budgetBytes: number): void {
    this.#budgetBytes = budgetBytes;
    this.#shrink();
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

  #shrink(): void {
    for (const oldest of this.#kept) {
      if (this.#usedBytes <= this.#budgetBytes) break;
      this.remove(oldest);
    }
  }
}
