import type { LlamaModel } from 'node-llama-cpp';
import { Slices } from '../../slices.ts';
import { TextAutomaton } from '../../prompt/text/text-automaton.ts';
import { nativeModelOf, type NativeModel } from '../native.ts';
import { gpt2BytesOf } from './gpt2-bytes.ts';
import { longestBpeStretch, pieceLimits, splitForTokenizer, type PieceLimits } from './text-pieces.ts';
import { growTokenTree, type TokenTree } from './token-tree.ts';

/** llama.h: enum llama_vocab_type. */
const vocabularyType = { spm: 1, bpe: 2, wpm: 3, ugm: 4 } as const;
/** llama.h: enum llama_token_attr. */
const tokenAttribute = { unknown: 1, control: 8, userDefined: 16, byte: 32 } as const;

/** Vocabularies beyond these bounds are refused: what is done with each token on the main thread must stay short. */
const mostTokens = 2 ** 20;
const mostSpecialTokens = 2 ** 17;
const longestTokenChars = 4_096;
const longestSpecialChars = 1_024;
const mostSpecialChars = 2 ** 20;
/** WordPiece tries all beginnings of a word up to the length of the longest token, and each of them letter by letter. */
const longestWordPieceChars = 256;
const wordPieceWork = 2 ** 25;
/** A character that is in no token: what follows it is tokenised as if it followed anything else. */
const guard = '\u{10ffff}';

/** Tokens between which fill-in-the-middle models take the text before and after what they write. */
export interface FillInTheMiddle {
  readonly prefix: number;
  readonly suffix: number;
  readonly middle: number;
}

const noBytes = new Uint8Array();
const utf8 = new TextEncoder();

/** The tokens of one loaded model: text to ids, ids to exact bytes, and which of them are special. */
export class Vocabulary {
  readonly size: number;
  /** Tokens that end the model's turn. */
  readonly endOfGeneration: ReadonlySet<number>;
  /** Ids of control tokens by their texts. */
  readonly controlTokens: ReadonlyMap<string, number>;
  /** Texts of user-defined tokens: parsed wherever they stand, special or not. */
  readonly userDefinedTexts: readonly string[];
  /** Undefined: the model cannot fill in. */
  readonly fillInTheMiddle: FillInTheMiddle | undefined;
  readonly bosText: string;
  readonly eosText: string;
  readonly #native: NativeModel;
  readonly #type: number;
  readonly #bosToken: number;
  /** Tokens of `guard`, where a text gets a space in front of it that a later piece must not get too. */
  readonly #guardTokens: number | undefined;
  readonly #pieceLimits: PieceLimits;
  /** Finds the texts of control tokens and of user-defined ones. */
  readonly specials: TextAutomaton;
  readonly #bytes: (Uint8Array | undefined)[] = [];
  #tree: Promise<TokenTree> | undefined;

  /** Throws Error when the vocabulary is too large, or its tokens too long, to be worked with. */
  constructor(model: LlamaModel) {
    const { tokens } = model.fileInfo.metadata.tokenizer.ggml;
    if (tokens.length > mostTokens) throw new Error(`its vocabulary has more than ${mostTokens} tokens`);
    checkLength(tokens, longestTokenChars, 'token');
    this.#native = nativeModelOf(model);
    this.#type = this.#native.getVocabularyType();
    this.size = tokens.length;
    this.#bosToken = this.#native.tokenBos();
    this.bosText = this.#textOf(this.#bosToken);
    this.eosText = this.#textOf(this.#native.tokenEos());
    const [prefix, suffix, middle] = [
      this.#native.prefixToken(),
      this.#native.suffixToken(),
      this.#native.middleToken(),
    ];
    this.fillInTheMiddle = Math.min(prefix, suffix, middle) < 0 ? undefined : { prefix, suffix, middle };
    const endOfGeneration = new Set<number>();
    const controlTokens = new Map<string, number>();
    const userDefinedTexts: string[] = [];
    for (let token = 0; token < this.size; token++) {
      const attributes = this.#native.getTokenAttributes(token);
      if (this.#native.isEogToken(token)) endOfGeneration.add(token);
      const special = attributes & (tokenAttribute.control | tokenAttribute.unknown);
      if (special === 0 && (attributes & tokenAttribute.userDefined) === 0) continue;
      const text = this.#textOf(token);
      if (text === '') continue;
      if (special === 0) userDefinedTexts.push(text);
      else controlTokens.set(text, token);
    }
    this.endOfGeneration = endOfGeneration;
    this.controlTokens = controlTokens;
    this.userDefinedTexts = userDefinedTexts;
    const specialTexts = [...new Set([...controlTokens.keys(), ...userDefinedTexts])];
    if (specialTexts.length > mostSpecialTokens)
      throw new Error(`its vocabulary has more than ${mostSpecialTokens} special tokens`);
    checkLength(specialTexts, longestSpecialChars, 'special token');
    if (specialTexts.reduce((total, { length }) => total + length, 0) > mostSpecialChars)
      throw new Error(`its special tokens have together more than ${mostSpecialChars} characters`);
    this.specials = new TextAutomaton(specialTexts);
    this.#pieceLimits = this.#limitsOfPieces(tokens, specialTexts);
    const [first] = this.#native.tokenize('a', false);
    if (first !== undefined && this.bytesOf(first)[0] === 0x20)
      this.#guardTokens = this.#native.tokenize(guard, false).length;
  }

  /** Texts that no message may smuggle in. */
  get controlTexts(): readonly string[] {
    return [...this.controlTokens.keys()];
  }

  /** All tokens that stand for bytes, by what they begin with; made when it is first asked for. */
  tree(): Promise<TokenTree> {
    return (this.#tree ??= growTokenTree(this.size, (token) => this.bytesOf(token)));
  }

  has(token: number): boolean {
    return Number.isInteger(token) && token >= 0 && token < this.size;
  }

  /** Exact bytes that `token` stands for; none for control tokens. */
  bytesOf(token: number): Uint8Array {
    return (this.#bytes[token] ??= this.#readBytes(token));
  }

  /** The text of a control token as its bytes. */
  controlBytesOf(token: number): Uint8Array {
    return utf8.encode(this.#textOf(token));
  }

  /** Exact bytes of a token, or the text of a control token as bytes. */
  shownBytesOf(token: number): Uint8Array {
    const bytes = this.bytesOf(token);
    return bytes.length > 0 ? bytes : this.controlBytesOf(token);
  }

  /** The text that tokenises to `tokens`, without a beginning-of-sequence token. */
  textOf(tokens: Uint32Array): string {
    const own = this.#wantsBos && tokens[0] === this.#bosToken ? tokens.subarray(1) : tokens;
    const bytes = Buffer.concat(Array.from(own, (token) => this.shownBytesOf(token)));
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const hasOwnSpace = this.#guardTokens !== undefined && text.startsWith(' ');
    return hasOwnSpace ? text.slice(1) : text;
  }

  /** `tokens` with the beginning-of-sequence token in front where the model wants it and it is not there. */
  withBos(tokens: Uint32Array): Uint32Array {
    if (!this.#wantsBos) return tokens;
    if (tokens[0] === this.#bosToken) return tokens;
    const result = new Uint32Array(tokens.length + 1);
    result[0] = this.#bosToken;
    result.set(tokens, 1);
    return result;
  }

  /** `tokens` of a whole text with those around them that an embedding model wants and that are not there. */
  enclose(tokens: Uint32Array): Uint32Array {
    const isWordPiece = this.#type === vocabularyType.wpm;
    const begin = isWordPiece || this.#wantsBos ? this.#bosToken : -1;
    const eos = this.#native.shouldAppendEosToken() ? this.#native.tokenEos() : -1;
    const end = isWordPiece ? this.#native.sepToken() : eos;
    return Uint32Array.from([
      ...(begin < 0 || tokens[0] === begin ? [] : [begin]),
      ...tokens,
      ...(end < 0 || tokens.at(-1) === end ? [] : [end]),
    ]);
  }

  /**
   * Token ids of `text`, or of texts in a row: no token spans two of them. With `parseSpecial`, texts of control
   * tokens become those tokens. Much text is done in pieces with other work between them, and given up once it
   * has more than `enough` tokens. `isLater`: the text follows other tokens, so that no space is put before it.
   */
  async tokenize(
    text: string | Iterable<string>,
    parseSpecial: boolean,
    enough = Number.POSITIVE_INFINITY,
    isLater = false,
  ): Promise<Uint32Array> {
    const pieces: Uint32Array[] = [];
    let tokens = 0;
    const slices = new Slices();
    for (const piece of this.#split(text)) {
      if (tokens > enough) break;
      if (slices.isOver) await slices.next();
      const ids = this.#tokenizePiece(piece, parseSpecial, isLater || pieces.length > 0);
      pieces.push(ids);
      tokens += ids.length;
    }
    return concat(pieces);
  }

  /** Token ids of a short text as a model would write it in the middle of its answer. */
  tokenizeGenerated(text: string): Uint32Array {
    return text === '' ? new Uint32Array() : this.#tokenizePiece(text, true, true);
  }

  get #wantsBos(): boolean {
    return this.#bosToken >= 0 && this.#native.shouldPrependBosToken();
  }

  *#split(text: string | Iterable<string>): Generator<string> {
    for (const one of typeof text === 'string' ? [text] : text)
      yield* splitForTokenizer(one, this.#pieceLimits, this.specials);
  }

  #limitsOfPieces(tokens: readonly string[], specialTexts: readonly string[]): PieceLimits {
    if (this.#type === vocabularyType.bpe) return pieceLimits(specialTexts, longestBpeStretch);
    if (this.#type !== vocabularyType.wpm) return pieceLimits(specialTexts);
    const longest = checkLength(tokens, longestWordPieceChars, 'token');
    const { searchedChars, ...limits } = pieceLimits(specialTexts);
    const pieceChars = Math.min(limits.pieceChars, Math.floor(wordPieceWork / Math.max(1, longest) ** 2));
    return { pieceChars, stretchChars: pieceChars, searchedChars };
  }

  #tokenizePiece(piece: string, parseSpecial: boolean, isLater: boolean): Uint32Array {
    if (!isLater || this.#guardTokens === undefined) return this.#native.tokenize(piece, parseSpecial);
    return this.#native.tokenize(guard + piece, parseSpecial).subarray(this.#guardTokens);
  }

  #textOf(token: number): string {
    return token < 0 ? '' : (this.#native.getTokenString(token) ?? '');
  }

  #readBytes(token: number): Uint8Array {
    const attributes = this.#native.getTokenAttributes(token);
    if ((attributes & (tokenAttribute.control | tokenAttribute.unknown)) !== 0) return noBytes;
    const text = this.#textOf(token);
    if ((attributes & tokenAttribute.byte) !== 0) {
      const hex = /^<0x([0-9A-Fa-f]{2})>$/.exec(text)?.[1];
      if (hex !== undefined) return Uint8Array.of(Number.parseInt(hex, 16));
    }
    if ((attributes & tokenAttribute.userDefined) !== 0) return utf8.encode(text);
    if (this.#type === vocabularyType.bpe) return gpt2BytesOf(text);
    if (this.#type === vocabularyType.spm || this.#type === vocabularyType.ugm)
      return utf8.encode(text.replaceAll('\u2581', ' '));
    return utf8.encode(this.#native.detokenize(Uint32Array.of(token), false));
  }
}

/** Length of the longest of `texts`. Throws when one is longer than `most` UTF-16 units. */
function checkLength(texts: readonly string[], most: number, what: string): number {
  const longest = texts.reduce((length, text) => Math.max(length, text.length), 0);
  if (longest <= most) return longest;
  throw new Error(
    `its vocabulary has a ${what} of ${longest} characters; the longest that can be served is ${most}`,
  );
}

function concat(pieces: readonly Uint32Array[]): Uint32Array {
  if (pieces.length === 1 && pieces[0] !== undefined) return pieces[0];
  const result = new Uint32Array(pieces.reduce((total, piece) => total + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    result.set(piece, at);
    at += piece.length;
  }
  return result;
}
