/** The memory for caches of idle conversations, in equal shares for all processes that keep some. */
export class CacheShares {
  #totalBytes: number;
  readonly #members = new Set<(bytes: number) => void>();

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
  }

  /** Gives one more a share, told to `resize` now and whenever it changes. Returns a function that gives it back. */
  join(resize: (bytes: number) => void): () => void {
    this.#members.add(resize);
    this.#divide();
    return () => {
      if (this.#members.delete(resize)) this.#divide();
    };
  }

  /** Changes how much all may keep together. */
  resize(totalBytes: number): void {
    if (this.#totalBytes === totalBytes) return;
    this.#totalBytes = totalBytes;
    this.#divide();
  }

  #divide(): void {
    const bytes = Math.floor(this.#totalBytes / this.#members.size);
    for (const resize of this.#members) resize(bytes);
  }
}
