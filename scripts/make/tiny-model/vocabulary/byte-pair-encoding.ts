/** How GPT-2's byte-level BPE writes each byte as one printable character, indexed by byte. */
export const byteCharacters: readonly string[] = (() => {
  const isPrintable = (byte: number): boolean =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
  let nextSubstitute = 0x100;
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCodePoint(isPrintable(byte) ? byte : nextSubstitute++),
  );
})();

const byteOfCharacter = new Map(byteCharacters.map((character, byte) => [character, byte]));

/** `text` with each byte of its UTF-8 as one printable character. */
export function toByteCharacters(text: string): string {
  return Array.from(Buffer.from(text, 'utf8'), (byte) => byteCharacters[byte] ?? '').join('');
}

/** The bytes that a token stands for. */
export function toBytes(token: string): Uint8Array {
  return Uint8Array.from(token, (character) => byteOfCharacter.get(character) ?? 0);
}

/** Words as the tokenizer of llama.cpp cuts them before merging, near enough for training. */
const wordPattern = / ?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+/gu;

export type Merge = readonly [left: string, right: string];

/** At most `count` merges, most frequent pair first; the pair of the smaller text wins a tie. */
export function trainMerges(sampleText: string, count: number): Merge[] {
  const occurrences = new Map<string, number>();
  for (const word of sampleText.match(wordPattern) ?? [])
    occurrences.set(word, (occurrences.get(word) ?? 0) + 1);
  return trainMergesOfWords(occurrences, count);
}

/** The same of words that were cut already, each with how often it occurs. */
export function trainMergesOfWords(occurrences: ReadonlyMap<string, number>, count: number): Merge[] {
  const words = [...occurrences].map(([text, times]) => ({
    pieces: Array.from(toByteCharacters(text)),
    times,
  }));
  const merges: Merge[] = [];
  while (merges.length < count) {
    const best = mostFrequentPair(words);
    if (best === undefined) break;
    merges.push(best);
    for (const { pieces } of words) applyMerge(pieces, best);
  }
  return merges;
}

interface CountedWord {
  readonly pieces: string[];
  readonly times: number;
}

function mostFrequentPair(words: readonly CountedWord[]): Merge | undefined {
  const counts = new Map<string, number>();
  for (const { pieces, times } of words) {
    for (let index = 1; index < pieces.length; index++) {
      const pair = `${pieces[index - 1]} ${pieces[index]}`;
      counts.set(pair, (counts.get(pair) ?? 0) + times);
    }
  }
  let best: string | undefined;
  let bestCount = 1; // a pair that occurs once is not worth a token
  for (const [pair, occurrences] of counts) {
    if (occurrences > bestCount || (occurrences === bestCount && best !== undefined && pair < best)) {
      best = pair;
      bestCount = occurrences;
    }
  }
  if (best === undefined) return undefined;
  const [left = '', right = ''] = best.split(' ');
  return [left, right];
}

/** Joins each occurrence of the pair in place, from left to right. */
export function applyMerge(word: string[], [left, right]: Merge): void {
  for (let index = 0; index + 1 < word.length; index++) {
    if (word[index] === left && word[index + 1] === right) word.splice(index, 2, left + right);
  }
}
