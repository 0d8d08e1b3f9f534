import {
  applyMerge,
  byteCharacters,
  toByteCharacters,
  trainMergesOfWords,
} from '../../make/tiny-model/vocabulary/byte-pair-encoding.ts';
import type { Merge } from '../../make/tiny-model/vocabulary/byte-pair-encoding.ts';

/** The control texts, last in the vocabulary. */
export const controlTexts = [
  '<|endoftext|>',
  '<|im_start|>',
  '<|im_end|>',
  '<think>',
  '</think>',
  '<tool_call>',
  '</tool_call>',
] as const;

export type ControlText = (typeof controlTexts)[number];

/** Where llama.cpp cuts text before it merges, for the pre-tokenizer `qwen2`: every digit stands alone. */
const wordPattern =
  /'(?:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+/giu;

const space = toByteCharacters(' ');

/** A tokenizer's tokens and merges, as they are kept beside the weights. */
export interface TokenizerFile {
  readonly tokens: readonly string[];
  readonly merges: readonly Merge[];
}

/**
 * Byte-level BPE whose words are cut the same with and without the space before them: merges within a word come first,
 * and only then may a space join a whole word in lower case. A name is thus the same tokens in a question, in quotes
 * and in a tool call, which lets a very small model copy it.
 */
export function trainTokenizer(
  texts: Iterable<string>,
  wordMerges: number,
  spaceMerges: number,
): TokenizerFile {
  const bare = new Map<string, number>();
  const spaced = new Map<string, number>();
  for (const text of texts) {
    for (const word of text.match(wordPattern) ?? []) {
      const cut = /^[^\p{L}\p{N}]\p{L}/u.test(word) ? word.slice(1) : word;
      bare.set(cut, (bare.get(cut) ?? 0) + 1);
      if (/^ [a-z]+$/.test(word)) spaced.set(cut, (spaced.get(cut) ?? 0) + 1);
    }
  }
  const merges = trainMergesOfWords(bare, wordMerges);
  const words = new Set(merges.map(([left, right]) => left + right));
  const frequent = [...spaced]
    .filter(([word]) => words.has(word) || word.length === 1)
    .sort(([, one], [, other]) => other - one)
    .slice(0, spaceMerges)
    .map(([word]): Merge => [space, word]);
  merges.push(...frequent);
  const distinct = new Set([...byteCharacters, ...merges.map(([left, right]) => left + right)]);
  return { tokens: [...distinct, ...controlTexts], merges };
}

export class Tokenizer {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #ranks: ReadonlyMap<string, number>;
  readonly #merges: readonly Merge[];
  readonly #words = new Map<string, readonly number[]>();

  constructor({ tokens, merges }: TokenizerFile) {
    this.#ids = new Map(tokens.map((token, id) => [token, id]));
    this.#merges = merges;
    this.#ranks = new Map(merges.map(([left, right], rank) => [`${left} ${right}`, rank]));
  }

  controlId(text: ControlText): number {
    return this.#idOf(text);
  }

  /** The ids of plain text: control texts in it are ordinary characters. */
  encode(text: string): number[] {
    return (text.match(wordPattern) ?? []).flatMap((word) => this.#encodeWord(word));
  }

  #encodeWord(word: string): readonly number[] {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const pieces = Array.from(toByteCharacters(word));
    for (;;) {
      const rank = this.#lowestRank(pieces);
      const merge = this.#merges[rank];
      if (merge === undefined) break;
      applyMerge(pieces, merge);
    }
    const ids = pieces.map((piece) => this.#idOf(piece));
    this.#words.set(word, ids);
    return ids;
  }

  #lowestRank(pieces: readonly string[]): number {
    let lowest = Infinity;
    for (let index = 1; index < pieces.length; index++) {
      const rank = this.#ranks.get(`${pieces[index - 1]} ${pieces[index]}`);
      if (rank !== undefined && rank < lowest) lowest = rank;
    }
    return lowest;
  }

  #idOf(token: string): number {
    const id = this.#ids.get(token);
    if (id === undefined) throw new RangeError(`no token for ${JSON.stringify(token)}`);
    return id;
  }
}
