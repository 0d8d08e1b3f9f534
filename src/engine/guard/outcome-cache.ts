import { createHash } from 'node:crypto';

interface Entry<Outcome> {
  readonly outcome: Outcome;
  readonly chars: number;
  readonly endsAtMs: number;
}

export interface OutcomeCacheLimits {
  readonly entries: number;
  /** Of all texts that are remembered. */
  readonly chars: number;
}

/** What long texts came to: those used last, by the hash of the text. */
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
    // Put back at the end: the first one is then the one not used for longest.
    this.#set(key, entry);
    return entry.outcome;
  }

  /** Remembers an outcome of `chars` characters, for `lifeMs` at most. */
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
