import type { Vocabulary } from '../tokens/vocabulary.ts';
import type { Drafter } from './drafter.ts';

const text = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Guesses what a grammar leaves no choice but to write, in the tokens that the vocabulary has for such a text. The model
 * may write it in others, so that these are guesses too.
 */
export class GrammarDrafter implements Drafter {
  readonly isSlow = true;
  readonly #vocabulary: Pick<Vocabulary, 'tokenizeGenerated'>;
  readonly #ahead: () => Uint8Array;

  /** `ahead` gives the bytes that must come next. */
  constructor(vocabulary: Pick<Vocabulary, 'tokenizeGenerated'>, ahead: () => Uint8Array) {
    this.#vocabulary = vocabulary;
    this.#ahead = ahead;
  }

  guess(most: number): Uint32Array {
    return this.#vocabulary.tokenizeGenerated(text.decode(this.#ahead())).subarray(0, most);
  }

  advance(): void {}
}
