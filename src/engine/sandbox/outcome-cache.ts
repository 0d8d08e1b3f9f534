import { createHash } from 'node:crypto';

interface Entry<Outcome> {
  readonly outcome: Outcome;
  readonly chars: number;
  readonly endsAtMs: number;
}

export interface OutcomeCacheLimits {
  readonly entries: number;
  /** The most characters of all outcomes together. */
  readonly chars: number;
}

/** Remembers the outcomes of long texts by hash, those that were used last. */
export class OutcomeCache<Outcome> {
  readonly #limits: OutcomeCacheLimits;
  readonly #entries = new Map<string, Entry<Outcome>>();
  #chars = 0;

  constructor(limits: OutcomeCacheLimits) {
    this.#limits = limits;
  }

  static keyOf(text: string): string {
    return createHash('sha256').update(text).digest('base64');
  }

  get(key: string): Outcome | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#delete(key);
    if (entry.endsAtMs < performance.now()) return undefined;
    // Added again at the end, so that the first one is always the least recently used.
    this.#set(key, entry);
    return entry.outcome;
  }

  /** Remembers an outcome of `chars` characters for at most `lifeMs`. */
  set(key: string, outcome: Outcome, chars: number, lifeMs = Number.POSITIVE_INFINITY): void {
    this.#delete(key);
    this.#set(key, { outcome, chars, endsAtMs: performance.now() + lifeMs });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limits.entries && this.#chars <= this.#limits.chars) break;
      this.#delete(oldest);
    }
  }

  #set(key: string, entry: Entry<Outcome>): void {
    this.#entries.set(key, entry);
    this.#chars += entry.chars;
  }

  #delete(key: string): void {
    this.#chars -= this.#entries.get(key)?.chars ?? 0;
    this.#entries.delete(key);
  }
}
