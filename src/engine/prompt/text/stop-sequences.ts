import { longestBeginning } from './char-stream.ts';

/**
 * Holds back text that may be the beginning of a stop sequence, so that no part of a stop sequence is handed out,
 * however many pieces it came in. The sequence that ends first counts; of two that end together, the one that began
 * first. So the result does not depend on how the text was cut into pieces. Pieces hold whole characters.
 */
export class StopSequences {
  readonly #sequences: readonly string[];
  #held = '';
  #matched: string | undefined;

  constructor(sequences: readonly string[]) {
    // A sequence with half a surrogate pair would cut a character in two.
    this.#sequences = sequences.filter((sequence) => sequence.isWellFormed());
  }

  get matched(): string | undefined {
    return this.#matched;
  }

  /** The part of the text so far that may be handed out and was not yet, and whether a stop sequence ended it. */
  push(text: string) {
    if (this.#sequences.length === 0) return { text, stopped: false };
    const pending = this.#held + text;
    const match = this.#firstMatch(pending);
    if (match >= 0) {
      this.#held = '';
      return { text: pending.slice(0, match), stopped: true };
    }
    const safe = pending.length - longestBeginning(pending, this.#sequences);
    this.#held = pending.slice(safe);
    return { text: pending.slice(0, safe), stopped: false };
  }

  /** The text that was held back, to be handed out when the generation has ended without a match. */
  flush(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  /** Where the match that ends first begins; -1 when there is none. */
  #firstMatch(text: string): number {
    let first = -1;
    let firstEnd = Number.POSITIVE_INFINITY;
    for (const sequence of this.#sequences) {
      const at = text.indexOf(sequence);
      const end = at + sequence.length;
      if (at < 0 || end > firstEnd || (end === firstEnd && at >= first)) continue;
      first = at;
      firstEnd = end;
      this.#matched = sequence;
    }
    return first;
  }
}
