import type { Drafter } from './drafter.ts';

/**
 * How far behind the place of a difference the answer's last tokens are looked for in the prediction, by how many of them
 * have to be there: one token alone is often there by chance.
 */
const searches = [
  { matched: 4, within: Number.POSITIVE_INFINITY },
  { matched: 3, within: 256 },
  { matched: 2, within: 64 },
  { matched: 1, within: 12 },
] as const;

/** Guesses that an answer is a text that its client has sent, and finds back to it behind a difference. */
export class PredictionDrafter implements Drafter {
  readonly #predicted: Uint32Array;
  /** The place in the prediction that the answer has come to; undefined: it is not found. */
  #place: number | undefined = 0;
  /** Where the answer left the prediction. */
  #leftAt = 0;
  /** Tokens of the answer since then. */
  #unmatched = 0;
  /** The last tokens of the answer, the newest first. */
  #last: number[] = [];

  constructor(predicted: Uint32Array) {
    this.#predicted = predicted;
  }

  guess(most: number): Uint32Array {
    const place = this.#place ?? this.#predicted.length;
    return this.#predicted.subarray(place, place + most);
  }

  advance(tokens: Uint32Array): void {
    for (const token of tokens) this.#goOn(token);
  }

  #goOn(token: number): void {
    this.#last = [token, ...this.#last].slice(0, searches[0].matched);
    const place = this.#place;
    if (place !== undefined && this.#predicted[place] === token) {
      this.#place = place + 1;
      this.#unmatched = 0;
      return;
    }
    if (this.#unmatched === 0 && place !== undefined) this.#leftAt = place;
    this.#unmatched++;
    // A single token may stand for another one, but not before the answer has begun as predicted.
    const instead = this.#unmatched === 1 && this.#leftAt > 0 ? this.#leftAt + 1 : undefined;
    this.#place = this.#find() ?? instead;
  }

  /** The place behind the answer's last tokens that is nearest to where it left the prediction. */
  #find(): number | undefined {
    for (const { matched, within } of searches) {
      if (this.#last.length < matched) continue;
      const end = Math.min(this.#predicted.length, this.#leftAt + within);
      for (let place = this.#leftAt; place < end; place++)
        if (this.#matches(place, matched)) return place + 1;
    }
    return undefined;
  }

  /** Whether the answer's last tokens end in the prediction with the one at `place`. */
  #matches(place: number, matched: number): boolean {
    for (let back = 0; back < matched; back++)
      if (this.#predicted[place - back] !== this.#last[back]) return false;
    return true;
  }
}
