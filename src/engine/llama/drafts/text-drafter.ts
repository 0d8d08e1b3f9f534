import type { Drafter } from './drafter.ts';

/** Tokens that a place must have in common with the end of the answer. */
const matchedTokens = 3;

/** Guesses that a text goes on as it did the last time its last three tokens were in it. */
export class TextDrafter implements Drafter {
  /** The prompt and the answer. */
  readonly #tokens: Uint32Array;
  #length = 0;
  /** For each hash of three tokens the place after the last ones that have it; 0: there were none. */
  readonly #places: Int32Array;

  /** `most`: tokens that prompt and answer can have together. */
  constructor(prompt: Uint32Array, most: number) {
    this.#tokens = new Uint32Array(most);
    this.#places = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(16, 2 * most))));
    this.advance(prompt);
  }

  guess(most: number): Uint32Array {
    const tokens = this.#tokens;
    const end = this.#length;
    if (end < matchedTokens) return new Uint32Array();
    const from = this.#places[this.#hashBefore(end)] ?? 0;
    for (let back = 1; back <= matchedTokens; back++)
      if (from < matchedTokens || tokens[from - back] !== tokens[end - back]) return new Uint32Array();
    // A text that repeats itself in fewer tokens is expected to go on doing so.
    return Uint32Array.from({ length: most }, (_, at) => tokens[from + (at % (end - from))] ?? 0);
  }

  advance(added: Uint32Array): void {
    for (const token of added.subarray(0, this.#tokens.length - this.#length)) {
      if (this.#length >= matchedTokens) this.#places[this.#hashBefore(this.#length)] = this.#length;
      this.#tokens[this.#length++] = token;
    }
  }

  #hashBefore(end: number): number {
    const [a = 0, b = 0, c = 0] = [this.#tokens[end - 3], this.#tokens[end - 2], this.#tokens[end - 1]];
    const mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
    return (mixed ^ (mixed >>> 15)) & (this.#places.length - 1);
  }
}
