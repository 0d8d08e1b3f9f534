import type { TextAutomaton } from '../../prompt/text/text-automaton.ts';

/** Most characters that are tokenised in one call, which takes the main thread some 10 ms. */
const mostPieceChars = 16_384;
/**
 * llama.cpp's pre-tokenizers for BPE recurse per character of their matches: 24 KB of one letter overflow the stack. A
 * stretch of 2,048 characters in which no word ends is therefore cut in the middle of a word.
 */
export const longestBpeStretch = 2_048;
/**
 * Most characters that one call may search, which takes at most 30 ms: llama.cpp searches a text once for every special
 * text.
 */
const mostSearchedChars = 2 ** 23;
/** Pieces are never shorter, even where tens of thousands of special texts make a call slower: they would cut words. */
const leastPieceChars = 512;

/** Bounds on the text for one call of a tokenizer. Lengths are in UTF-16 units. */
export interface PieceLimits {
  readonly pieceChars: number;
  /** Length at which a piece is cut in which no word ends. */
  readonly stretchChars: number;
  /** Most special texts in a piece, times its length. */
  readonly searchedChars: number;
}

/** Limits for a vocabulary with these special texts. `longestStretch`: the longest word that its tokenizer can take. */
export function pieceLimits(specialTexts: readonly string[], longestStretch = Infinity): PieceLimits {
  const searchedChars = Math.floor(mostSearchedChars / Math.max(1, specialTexts.length));
  const longest = specialTexts.reduce((most, { length }) => Math.max(most, length), 0);
  // A cut moves back to the beginning of a special text, which must not be the beginning of the piece.
  const least = Math.max(leastPieceChars, 2 * longest);
  const pieceChars = Math.max(least, Math.min(mostPieceChars, searchedChars));
  return { pieceChars, stretchChars: Math.max(least, Math.min(pieceChars, longestStretch)), searchedChars };
}

/**
 * Pieces of `text` that tokenise to the same tokens as the whole. They are cut before a special text, or before a blank
 * or CJK punctuation that follows a letter or digit, which no tokenizer joins. Where no such place comes for too long,
 * the cut is made anywhere but within a special text.
 */
export function* splitForTokenizer(
  text: string,
  { pieceChars, stretchChars, searchedChars }: PieceLimits,
  specials?: TextAutomaton,
): Generator<string> {
  const found = new FoundSpecials(specials);
  let start = 0;
  let boundary = 0;
  let previous = classOf(text.charCodeAt(0));
  for (let index = 1; index < text.length; index++) {
    const special = found.read(text.charCodeAt(index - 1), index);
    if (special !== undefined && special > start) {
      boundary = special;
      found.remember(1);
    }
    const code = text.charCodeAt(index);
    const current = classOf(code);
    const mayEndWord = current !== previous && previous === 'word' && found.pending === 0;
    if (mayEndWord && (current === 'blank' || isCjkPunctuation(code)) && endsWord(text, index)) {
      boundary = index;
      found.remember(0);
    }
    previous = current;
    const isStretched = index - Math.max(start, boundary) >= stretchChars;
    const isFull = index - start >= pieceChars || found.count * (index - start) > searchedChars;
    if (!isStretched && (!isFull || boundary <= start)) continue;
    const cut = isStretched ? betweenCharacters(text, index - found.pending) : boundary;
    yield text.slice(start, cut);
    start = cut;
    found.cut(isStretched);
  }
  if (start < text.length) yield text.slice(start);
}

/** Counts the special texts in a piece. */
class FoundSpecials {
  readonly #specials: TextAutomaton | undefined;
  #state = 0;
  count = 0;
  #countFromBoundary = 0;

  constructor(specials: TextAutomaton | undefined) {
    this.#specials = specials;
  }

  /**
   * Reads the code unit before `index`. Where a special text ends with it that is not part of a longer one, returns
   * where that text begins; else undefined.
   */
  read(code: number, index: number): number | undefined {
    if (this.#specials === undefined) return undefined;
    this.#state = this.#specials.next(this.#state, code);
    const length = this.#specials.foundLength(this.#state);
    if (length === 0) return undefined;
    this.count++;
    this.#countFromBoundary++;
    return this.pending > length ? undefined : index - length;
  }

  /** How many of the last characters read may be the beginning of a special text. */
  get pending(): number {
    return this.#specials?.pendingLength(this.#state) ?? 0;
  }

  /** Notes a place for a cut; from there to the last character read there are `count` special texts. */
  remember(count: number): void {
    this.#countFromBoundary = count;
  }

  /** Counts for the next piece: the cut was made at the noted place, or behind all special texts (`isBehind`). */
  cut(isBehind: boolean): void {
    this.count = isBehind ? 0 : this.#countFromBoundary;
    this.#countFromBoundary = 0;
  }
}

const betweenCharacters = (text: string, cut: number) =>
  isLowSurrogate(text.charCodeAt(cut)) ? cut - 1 : cut;

/** True when the character before `index` is a letter or a digit. */
function endsWord(text: string, index: number): boolean {
  const code = text.charCodeAt(index - 1);
  return code < 0x80 || /[\p{L}\p{N}]/u.test(text.charAt(index - 1));
}

/** The class of a code unit; everything beyond ASCII except CJK punctuation is `word` too. */
function classOf(code: number): 'blank' | 'word' | 'mark' {
  if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) return 'blank';
  if (code >= 0x80) return isCjkPunctuation(code) ? 'mark' : 'word';
  const isDigit = code >= 0x30 && code <= 0x39;
  const letter = code | 0x20;
  return isDigit || (letter >= 0x61 && letter <= 0x7a) ? 'word' : 'mark';
}

const isCjkPunctuation = (code: number) =>
  (code >= 0x3000 && code <= 0x303f) || (code >= 0xff01 && code <= 0xff0f);
const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff;
