/** What may be shown after some text was looked through, and whether a stop sequence ended it. */
export interface StopScan {
  readonly text: string;
  readonly stopped: boolean;
}

/**
 * Holds back text that may be the beginning of a stop sequence, so that a matched one is never shown, however
 * many pieces it came in. The match that is complete first ends the text, of two the one that began first: so the
 * text does not depend on how it was cut into pieces. Pieces hold whole characters.
 */
export class StopSequences {
  readonly #sequences: readonly string[];
  #held = '';

  constructor(sequences: readonly string[]) {
    // Half a surrogate pair is no character: matching it would cut one in two.
    this.#sequences = sequences.filter((sequence) => sequence.isWellFormed());
  }

  /** The part of all text so far that is safe to show and was not shown yet. */
  push(text: string): StopScan {
    if (this.#sequences.length === 0) return { text, stopped: false };
    const pending = this.#held + text;
    const match = this.#firstMatch(pending);
    if (match >= 0) {
      this.#held = '';
      return { text: pending.slice(0, match), stopped: true };
    }
    const safe = pending.length - this.#possibleBeginning(pending);
    this.#held = pending.slice(safe);
    return { text: pending.slice(0, safe), stopped: false };
  }

  /** What was held back: to be shown when generation ended without a match. */
  flush(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  /** Where the match begins that ends first; -1 when there is none. */
  #firstMatch(text: string): number {
    let first = -1;
    let firstEnd = Number.POSITIVE_INFINITY;
    for (const sequence of this.#sequences) {
      const at = text.indexOf(sequence);
      const end = at + sequence.length;
      if (at < 0 || end > firstEnd || (end === firstEnd && at >= first)) continue;
      first = at;
      firstEnd = end;
    }
    return first;
  }

  /** Length of the longest end of `text` that begins a stop sequence. */
  #possibleBeginning(text: string): number {
    let longest = 0;
    for (const sequence of this.#sequences) {
      for (let length = Math.min(sequence.length - 1, text.length); length > longest; length--) {
        if (text.endsWith(sequence.slice(0, length))) longest = length;
      }
    }
    return longest;
  }
}
