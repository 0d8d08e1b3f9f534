/** What may be shown after some text was looked through, and whether a stop sequence ended it. */
export interface StopScan {
  readonly text: string;
  readonly stopped: boolean;
}

/**
 * Holds back text that may be the beginning of a stop sequence, so that a matched one is never shown, however
 * many pieces it came in. The earliest match ends the text; of two that begin at the same place either does.
 */
export class StopSequences {
  readonly #sequences: readonly string[];
  #held = '';

  constructor(sequences: readonly string[]) {
    this.#sequences = sequences;
  }

  /** The part of all text so far that is safe to show and was not shown yet. */
  push(text: string): StopScan {
    if (this.#sequences.length === 0) return { text, stopped: false };
    const pending = this.#held + text;
    const match = this.#earliestMatch(pending);
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

  #earliestMatch(text: string): number {
    let earliest = -1;
    for (const sequence of this.#sequences) {
      const at = text.indexOf(sequence);
      if (at >= 0 && (earliest < 0 || at < earliest)) earliest = at;
    }
    return earliest;
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
