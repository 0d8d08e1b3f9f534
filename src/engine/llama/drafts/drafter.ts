/** Guesses the next tokens of one answer. */
export interface Drafter {
  /** At most `most` tokens; none where it has no idea. */
  guess(most: number): Uint32Array;
  /** Goes on by tokens of the answer. */
  advance(tokens: Uint32Array): void;
}
