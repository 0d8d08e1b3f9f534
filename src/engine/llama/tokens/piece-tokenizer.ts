import type { TextAutomaton } from '../../prompt/text/text-automaton.ts';
import { Slices } from '../../../timing/slices.ts';
import { vocabularyType, type NativeModel } from '../native/model.ts';
import { checkLength } from './special-tokens.ts';
import { longestBpeStretch, pieceLimits, splitForTokenizer, type PieceLimits } from './text-pieces.ts';

/**
 * WordPiece tries all beginnings of a word up to the length of the longest token, and goes through each of them letter
 * by letter.
 */
const longestWordPieceChars = 256;
const wordPieceWork = 2 ** 25;
/** A character that is in no token: the text behind it is tokenised as behind any other text. */
const guard = '\u{10ffff}';

export interface PieceTokenizerOptions {
  readonly model: NativeModel;
  readonly tokenTexts: readonly string[];
  readonly specialTexts: readonly string[];
  /** Finds `specialTexts`. */
  readonly specials: TextAutomaton;
  /** The tokenizer puts a space in front of a text. */
  readonly addsSpace: boolean;
}

/** From texts of any length to token ids, in pieces that llama.cpp tokenises quickly. */
export class PieceTokenizer {
  readonly #model: NativeModel;
  readonly #specials: TextAutomaton;
  readonly #limits: PieceLimits;
  /** Tokens of `guard`, where a text gets a space in front of it that a later piece must not get too. */
  readonly #guardTokens: number | undefined;

  /** Throws Error when the tokens are too long to be worked with. */
  constructor({ model, tokenTexts, specialTexts, specials, addsSpace }: PieceTokenizerOptions) {
    this.#model = model;
    this.#specials = specials;
    this.#limits = limitsOf(model.getVocabularyType(), tokenTexts, specialTexts);
    if (addsSpace) this.#guardTokens = model.tokenize(guard, false).length;
  }

  /**
   * Token ids of `text`, or of texts in a row: no token spans two of them. With `parseSpecial`, texts of control
   * tokens become those tokens. Much text is tokenised in pieces with other work between them, and only until it has
   * more than `enough` tokens. `isLater`: the text follows other tokens, so that no space is put before it.
   */
  async tokenize(
    text: string | Iterable<string>,
    parseSpecial: boolean,
    enough: number,
    isLater: boolean,
  ): Promise<Uint32Array> {
    const pieces: Uint32Array[] = [];
    let tokens = 0;
    const slices = new Slices();
    for (const piece of this.#split(text)) {
      if (tokens > enough) break;
      if (slices.isOver) await slices.next();
      const ids = this.tokenizePiece(piece, parseSpecial, isLater || pieces.length > 0);
      pieces.push(ids);
      tokens += ids.length;
    }
    return concat(pieces);
  }

  /** Token ids of a short text. */
  tokenizePiece(piece: string, parseSpecial: boolean, isLater: boolean): Uint32Array {
    if (!isLater || this.#guardTokens === undefined) return this.#model.tokenize(piece, parseSpecial);
    return this.#model.tokenize(guard + piece, parseSpecial).subarray(this.#guardTokens);
  }

  *#split(text: string | Iterable<string>): Generator<string> {
    for (const one of typeof text === 'string' ? [text] : text)
      yield* splitForTokenizer(one, this.#limits, this.#specials);
  }
}

function limitsOf(type: number, tokenTexts: readonly string[], specialTexts: readonly string[]): PieceLimits {
  if (type === vocabularyType.bpe) return pieceLimits(specialTexts, longestBpeStretch);
  if (type !== vocabularyType.wpm) return pieceLimits(specialTexts);
  const longest = checkLength(tokenTexts, longestWordPieceChars, 'token');
  const { searchedChars, ...limits } = pieceLimits(specialTexts);
  const pieceChars = Math.min(limits.pieceChars, Math.floor(wordPieceWork / Math.max(1, longest) ** 2));
  return { pieceChars, stretchChars: pieceChars, searchedChars };
}

/** All of them in one. */
export function concat(pieces: readonly Uint32Array[]): Uint32Array {
  if (pieces.length === 1 && pieces[0] !== undefined) return pieces[0];
  const result = new Uint32Array(pieces.reduce((total, piece) => total + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    result.set(piece, at);
    at += piece.length;
  }
  return result;
}
