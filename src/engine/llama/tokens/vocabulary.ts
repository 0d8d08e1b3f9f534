import type { LlamaModel } from 'node-llama-cpp';
import { TextAutomaton } from '../../prompt/text/text-automaton.ts';
import { nativeModelOf, vocabularyType, type NativeModel } from '../native/model.ts';
import { PieceTokenizer } from './piece-tokenizer.ts';
import { checkLength, readSpecialTokens } from './special-tokens.ts';
import { readTokenBytes } from './token-bytes.ts';

/** Vocabularies beyond these bounds are refused: the work for each token on the main thread must stay short. */
const mostTokens = 2 ** 20;
const longestTokenChars = 4_096;

/** Tokens between which fill-in-the-middle models take the text before and after the gap. */
export interface FillInTheMiddle {
  readonly prefix: number;
  readonly suffix: number;
  readonly middle: number;
  /** In front of another file; undefined: the model has no such token. */
  readonly file: number | undefined;
  /** In front of the name of a project: one token, or none. */
  readonly repository: readonly number[];
}

const fileMarkers = ['<|file_sep|>', '<|file_separator|>', '<file_sep>', '<fim_sep>'];
const repositoryMarkers = ['<|repo_name|>', '<|fim_repo|>', '<repo_name>', '<reponame>', '<fim_repo>'];

const utf8 = new TextEncoder();

/** The part of a file's metadata that describes its tokens. */
interface GgufVocabulary {
  readonly tokens: readonly string[];
  readonly suppress_tokens?: readonly number[];
}

/** The tokens of one loaded model: text to ids, ids to exact bytes, and which of them are special. */
export class Vocabulary {
  readonly size: number;
  /** Tokens that end the model's turn. */
  readonly endOfGeneration: ReadonlySet<number>;
  /** Ids of control tokens by their texts. */
  readonly controlTokens: ReadonlyMap<string, number>;
  readonly controlTokenIds: ReadonlySet<number>;
  /** Tokens that stand for no text, such as those of sounds: the file says that none of them is to be drawn. */
  readonly neverDrawn: readonly number[];
  /** Texts of user-defined tokens: parsed wherever they stand, special or not. */
  readonly userDefinedTexts: readonly string[];
  /** Finds the texts of control tokens and of user-defined ones. */
  readonly specials: TextAutomaton;
  /** Undefined: the model cannot fill in. */
  readonly fillInTheMiddle: FillInTheMiddle | undefined;
  readonly bosText: string;
  readonly eosText: string;
  readonly #native: NativeModel;
  readonly #bosToken: number;
  /** The tokenizer puts a space in front of a text, which is not part of it. */
  readonly #addsSpace: boolean;
  readonly #tokenizer: PieceTokenizer;
  readonly #bytes: (Uint8Array | undefined)[] = [];

  /** Throws Error when the vocabulary is too large, or its tokens too long, to be worked with. */
  constructor(model: LlamaModel) {
    const ggml = model.fileInfo.metadata.tokenizer.ggml as GgufVocabulary;
    const { tokens: tokenTexts, suppress_tokens: neverDrawn = [] } = ggml;
    if (tokenTexts.length > mostTokens) throw new Error(`its vocabulary has more than ${mostTokens} tokens`);
    checkLength(tokenTexts, longestTokenChars, 'token');
    const native = nativeModelOf(model);
    this.#native = native;
    this.size = tokenTexts.length;
    this.#bosToken = native.tokenBos();
    this.bosText = this.#textOf(this.#bosToken);
    this.eosText = this.#textOf(native.tokenEos());
    const special = readSpecialTokens(native, this.size);
    this.endOfGeneration = special.endOfGeneration;
    this.neverDrawn = neverDrawn.filter((token) => this.has(token));
    this.controlTokens = special.controlTokens;
    this.controlTokenIds = new Set(special.controlTokens.values());
    this.userDefinedTexts = special.userDefinedTexts;
    this.specials = new TextAutomaton(special.texts);
    const [first] = native.tokenize('a', false);
    this.#addsSpace = first !== undefined && this.bytesOf(first)[0] === 0x20;
    this.#tokenizer = new PieceTokenizer({
      model: native,
      tokenTexts,
      specialTexts: special.texts,
      specials: this.specials,
      addsSpace: this.#addsSpace,
    });
    this.fillInTheMiddle = this.#findInfill();
  }

  /** Texts that must not become control tokens when they stand in a message. */
  get controlTexts(): readonly string[] {
    return [...this.controlTokens.keys()];
  }

  has(token: number): boolean {
    return Number.isInteger(token) && token >= 0 && token < this.size;
  }

  /** Exact bytes that `token` stands for; none for control tokens. */
  bytesOf(token: number): Uint8Array {
    return (this.#bytes[token] ??= readTokenBytes(this.#native, token));
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
    return this.#addsSpace && text.startsWith(' ') ? text.slice(1) : text;
  }

  /** `tokens` with the beginning-of-sequence token in front where the model wants it and it is not there. */
  withBos(tokens: Uint32Array): Uint32Array {
    if (!this.#wantsBos || tokens[0] === this.#bosToken) return tokens;
    const result = new Uint32Array(tokens.length + 1);
    result[0] = this.#bosToken;
    result.set(tokens, 1);
    return result;
  }

  /** `tokens` of a whole text between those tokens that an embedding model wants around it; none of these twice. */
  enclose(tokens: Uint32Array): Uint32Array {
    const isWordPiece = this.#native.getVocabularyType() === vocabularyType.wpm;
    const begin = isWordPiece || this.#wantsBos ? this.#bosToken : -1;
    const eos = this.#native.shouldAppendEosToken() ? this.#native.tokenEos() : -1;
    const end = isWordPiece ? this.#native.sepToken() : eos;
    return Uint32Array.from([
      ...(begin < 0 || tokens[0] === begin ? [] : [begin]),
      ...tokens,
      ...(end < 0 || tokens.at(-1) === end ? [] : [end]),
    ]);
  }

  /** The tokens between a query and a document that a model compares. */
  get betweenTexts(): readonly number[] {
    const eos = this.#native.shouldAppendEosToken() ? [this.#native.tokenEos()] : [];
    const sep = this.#native.sepToken();
    return sep < 0 ? eos : [...eos, sep];
  }

  /** Token ids of a text, as `PieceTokenizer.tokenize` describes them. */
  tokenize(
    text: string | Iterable<string>,
    parseSpecial: boolean,
    enough = Number.POSITIVE_INFINITY,
    isLater = false,
  ): Promise<Uint32Array> {
    return this.#tokenizer.tokenize(text, parseSpecial, enough, isLater);
  }

  /** Token ids of a short text as a model would write it in the middle of its answer. */
  tokenizeGenerated(text: string): Uint32Array {
    return text === '' ? new Uint32Array() : this.#tokenizer.tokenizePiece(text, true, true);
  }

  /** Undefined: the model cannot fill in. */
  #findInfill(): FillInTheMiddle | undefined {
    const native = this.#native;
    const [prefix, suffix, middle] = [native.prefixToken(), native.suffixToken(), native.middleToken()];
    if (Math.min(prefix, suffix, middle) < 0) return undefined;
    const known = (texts: readonly string[]) =>
      texts
        .map((text) => this.tokenizeGenerated(text))
        .flatMap((tokens) => (tokens.length === 1 ? [...tokens] : []));
    const [file] = known(fileMarkers);
    return { prefix, suffix, middle, file, repository: known(repositoryMarkers).slice(0, 1) };
  }

  get #wantsBos(): boolean {
    return this.#bosToken >= 0 && this.#native.shouldPrependBosToken();
  }

  #textOf(token: number): string {
    return token < 0 ? '' : (this.#native.getTokenString(token) ?? '');
  }
}
