import type { LlamaModel } from 'node-llama-cpp';
import { nativeModelOf, type NativeModel } from './native.ts';
import { gpt2BytesOf } from './gpt2-bytes.ts';
import { pieceChars, splitForTokenizer } from './text-pieces.ts';
import { TokenTree } from './token-tree.ts';

/** llama.h: enum llama_vocab_type. */
const vocabularyType = { spm: 1, bpe: 2, ugm: 4 } as const;
/** llama.h: enum llama_token_attr. */
const tokenAttribute = { unknown: 1, control: 8, userDefined: 16, byte: 32 } as const;

/** What a call of the tokenizer costs, as if so many more characters were in its text. */
const callChars = 64;
/** A character that is in no token: what follows it is tokenised as if it followed anything else. */
const guard = '\u{10ffff}';

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
  readonly bosText: string;
  readonly eosText: string;
  readonly #native: NativeModel;
  readonly #type: number;
  readonly #bosToken: number;
  /** Tokens of `guard`, where a text gets a space in front of it that a later piece must not get too. */
  readonly #guardTokens: number | undefined;
  readonly #specialTexts: readonly string[];
  readonly #bytes: (Uint8Array | undefined)[] = [];
  #tree: TokenTree | undefined;

  constructor(model: LlamaModel) {
    this.#native = nativeModelOf(model);
    this.#type = this.#native.getVocabularyType();
    this.size = model.fileInfo.metadata.tokenizer.ggml.tokens.length;
    this.#bosToken = this.#native.tokenBos();
    this.bosText = this.#textOf(this.#bosToken);
    this.eosText = this.#textOf(this.#native.tokenEos());
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
    this.#specialTexts = [...controlTokens.keys(), ...userDefinedTexts];
    const [first] = this.#native.tokenize('a', false);
    if (first !== undefined && this.bytesOf(first)[0] === 0x20)
      this.#guardTokens = this.#native.tokenize(guard, false).length;
  }

  /** Texts that no message may smuggle in. */
  get controlTexts(): readonly string[] {
    return [...this.controlTokens.keys()];
  }

  /** All tokens that stand for bytes, by what they begin with; made when it is first asked for. */
  get tree(): TokenTree {
    return (this.#tree ??= new TokenTree(this.size, (token) => this.bytesOf(token)));
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

  /** `tokens` with the beginning-of-sequence token in front where the model wants it and it is not there. */
  withBos(tokens: Uint32Array): Uint32Array {
    if (this.#bosToken < 0 || !this.#native.shouldPrependBosToken()) return tokens;
    if (tokens[0] === this.#bosToken) return tokens;
    const result = new Uint32Array(tokens.length + 1);
    result[0] = this.#bosToken;
    result.set(tokens, 1);
    return result;
  }

  /**
   * Token ids of `text`, or of texts in a row: no token spans two of them. With `parseSpecial`, texts of control
   * tokens become those tokens. Much text is done in pieces with other work between them, and given up once it
   * has more than `enough` tokens.
   */
  async tokenize(
    text: string | readonly string[],
    parseSpecial: boolean,
    enough = Number.POSITIVE_INFINITY,
  ): Promise<Uint32Array> {
    const pieces: Uint32Array[] = [];
    let tokens = 0;
    let busyChars = 0;
    for (const piece of this.#split(text)) {
      if (tokens > enough) break;
      if (busyChars >= pieceChars) {
        await new Promise((resolve) => setImmediate(resolve));
        busyChars = 0;
      }
      const ids = this.#tokenizePiece(piece, parseSpecial, pieces.length > 0);
      pieces.push(ids);
      tokens += ids.length;
      busyChars += piece.length + callChars;
    }
    return concat(pieces);
  }

  /** Token ids of a short text as a model would write it in the middle of its answer. */
  tokenizeGenerated(text: string): Uint32Array {
    return text === '' ? new Uint32Array() : this.#tokenizePiece(text, true, true);
  }

  *#split(text: string | readonly string[]): Generator<string> {
    const isBpe = this.#type === vocabularyType.bpe;
    for (const one of typeof text === 'string' ? [text] : text)
      yield* splitForTokenizer(one, isBpe, this.#specialTexts);
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
