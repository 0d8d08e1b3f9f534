/** Guesses the next tokens of one answer. */
export interface Drafter {
  /** A guess takes up to some milliseconds, so that it is only asked for one where that may be worth a step. */
  readonly isSlow?: boolean;
  /** At most `most` tokens; none where it has no idea. */
  guess(most: number): Uint32Array;
  /** Goes on by tokens of the answer. */
  advance(tokens: Uint32Array): void;
}
