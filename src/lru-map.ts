import { createHash } from 'node:crypto';

interface Entry<Value> {
  readonly value: Value;
  readonly chars: number;
  readonly endsAtMs: number;
}

export interface LruLimits {
  readonly entries: number;
  /** The most characters of all values together; default: any number. */
  readonly chars?: number;
}

/** A map that keeps the entries that were used last. */
export class LruMap<Value> {
  readonly #limits: LruLimits;
  /** The one that was used last at the end. */
  readonly #entries = new Map<string, Entry<Value>>();
  #chars = 0;

  constructor(limits: LruLimits) {
    this.#limits = limits;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#delete(key);
    if (entry.endsAtMs < performance.now()) return undefined;
    this.#add(key, entry);
    return entry.value;
  }

  /** Keeps a value of `chars` characters for at most `lifeMs`. */
  set(key: string, value: Value, chars = 0, lifeMs = Number.POSITIVE_INFINITY): void {
    this.#delete(key);
    this.#add(key, { value, chars, endsAtMs: performance.now() + lifeMs });
    const { entries, chars: mostChars = Number.POSITIVE_INFINITY } = this.#limits;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= entries && this.#chars <= mostChars) break;
      this.#delete(oldest);
    }
  }

  #add(key: string, entry: Entry<Value>): void {
    this.#entries.set(key, entry);
    this.#chars += entry.chars;
  }

  #delete(key: string): void {
    this.#chars -= this.#entries.get(key)?.chars ?? 0;
    this.#entries.delete(key);
  }
}

/** A short key for a long text. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
