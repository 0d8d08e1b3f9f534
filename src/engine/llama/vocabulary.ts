import type { LlamaModel } from 'node-llama-cpp';
import { nativeModelOf, type NativeModel } from './native.ts';
import { gpt2BytesOf } from './gpt2-bytes.ts';
import { splitForTokenizer } from './text-pieces.ts';

/** llama.h: enum llama_vocab_type. */
const vocabularyType = { spm: 1, bpe: 2, ugm: 4 } as const;
/** llama.h: enum llama_token_attr. */
const tokenAttribute = { unknown: 1, control: 8, userDefined: 16, byte: 32 } as const;

const noBytes = new Uint8Array();
const utf8 = new TextEncoder();

/** The tokens of one loaded model: text to ids, ids to exact bytes, and which of them are special. */
export class Vocabulary {
  readonly size: number;
  /** Tokens that end the model's turn. */
  readonly endOfGeneration: ReadonlySet<number>;
  /** Texts of control tokens, which no message may smuggle in. */
  readonly controlTexts: readonly string[];
  /** Texts of user-defined tokens: parsed wherever they stand, special or not. */
  readonly userDefinedTexts: readonly string[];
  readonly bosText: string;
  readonly eosText: string;
  readonly #native: NativeModel;
  readonly #type: number;
  readonly #bosToken: number;
  readonly #addsSpace: boolean;
  readonly #bytes: (Uint8Array | undefined)[] = [];

  constructor(model: LlamaModel) {
    this.#native = nativeModelOf(model);
    this.#type = this.#native.getVocabularyType();
    this.size = model.fileInfo.metadata.tokenizer.ggml.tokens.length;
    this.#bosToken = this.#native.tokenBos();
    this.bosText = this.#textOf(this.#bosToken);
    this.eosText = this.#textOf(this.#native.tokenEos());
    const endOfGeneration = new Set<number>();
    const controlTexts: string[] = [];
    const userDefinedTexts: string[] = [];
    for (let token = 0; token < this.size; token++) {
      const attributes = this.#native.getTokenAttributes(token);
      if (this.#native.isEogToken(token)) endOfGeneration.add(token);
      const special = attributes & (tokenAttribute.control | tokenAttribute.unknown);
      if (special === 0 && (attributes & tokenAttribute.userDefined) === 0) continue;
      const text = this.#textOf(token);
      if (text !== '') (special === 0 ? userDefinedTexts : controlTexts).push(text);
    }
    this.endOfGeneration = endOfGeneration;
    this.controlTexts = controlTexts;
    this.userDefinedTexts = userDefinedTexts;
    const [first] = this.#native.tokenize('a', false);
    this.#addsSpace = first !== undefined && this.bytesOf(first)[0] === 0x20;
  }

  has(token: number): boolean {
    return Number.isInteger(token) && token >= 0 && token < this.size;
  }

  /** Exact bytes that `token` stands for; none for control tokens. */
  bytesOf(token: number): Uint8Array {
    return (this.#bytes[token] ??= this.#readBytes(token));
  }

  /** `tokens` with the beginning-of-sequence token in front where the model wants it and it is not there. */
  withBos(tokens: Uint32Array): Uint32Array {
    if (!this.#native.shouldPrependBosToken() || tokens[0] === this.#bosToken) return tokens;
    const result = new Uint32Array(tokens.length + 1);
    result[0] = this.#bosToken;
    result.set(tokens, 1);
    return result;
  }

  /**
   * Token ids of `text`; with `parseSpecial`, texts of control tokens become those tokens. A long text is done
   * in pieces with other work between them, and given up once it has more than `enough` tokens.
   */
  async tokenize(
    text: string,
    parseSpecial: boolean,
    enough = Number.POSITIVE_INFINITY,
  ): Promise<Uint32Array> {
    if (text === '') return new Uint32Array();
    const pieces: Uint32Array[] = [];
    let tokens = 0;
    for (const piece of splitForTokenizer(text, this.#type === vocabularyType.bpe)) {
      if (tokens > enough) break;
      if (pieces.length > 0) await new Promise((resolve) => setImmediate(resolve));
      const ids = this.#native.tokenize(this.#withoutAddedSpace(piece, pieces.length > 0), parseSpecial);
      pieces.push(ids);
      tokens += ids.length;
    }
    return concat(pieces);
  }

  /** Some tokenizers put a space before what they are given: a later piece must not bring its own too. */
  #withoutAddedSpace(piece: string, isLaterPiece: boolean): string {
    return isLaterPiece && this.#addsSpace && piece.startsWith(' ') ? piece.slice(1) : piece;
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
