import type { GeneratedTokenLogprob, GenerationEvent, TurnEvent } from '../generation/generation.ts';
import { StopSequences } from './text/stop-sequences.ts';
import { TurnReader, type TurnReaderOptions } from './turn-reader.ts';

export interface GeneratedTurnOptions {
  /** Undefined: everything is text. */
  readonly reader: TurnReaderOptions | undefined;
  readonly stop: readonly string[];
  readonly emit: (event: GenerationEvent) => void;
}

/** A token, or the rest of one, that the reader has not told of yet. */
interface UnreadToken {
  readonly text: string;
  /** It ends in the middle of a character, and waits for that. */
  readonly isPartial: boolean;
  readonly logprob: GeneratedTokenLogprob;
}

interface WaitingLogprob {
  /** How much text has to be handed out before it. */
  readonly endChar: number;
  readonly logprob: GeneratedTokenLogprob;
}

/**
 * Turns the bytes of generated tokens into the events of a turn: thoughts, text and calls. Text has whole characters, no
 * stop sequence, and each log-probability together with the text of its token; stop sequences and log-probabilities
 * apply to nothing else.
 */
export class GeneratedTurn {
  readonly reader: TurnReader | undefined;
  readonly #emit: GeneratedTurnOptions['emit'];
  readonly #stop: StopSequences;
  #decoder = newDecoder();
  /** How many UTF-16 code units of text were decoded, and how many of them were handed out. */
  #decodedChars = 0;
  #shownChars = 0;
  /** How many bytes of the last character have not come yet. */
  #missingBytes = 0;
  #waiting: WaitingLogprob[] = [];
  /** Tokens that the reader holds back, or has left out as the syntax of a thought or of a call. */
  #unread: UnreadToken[] = [];

  constructor({ reader, stop, emit }: GeneratedTurnOptions) {
    this.reader = reader && new TurnReader(reader);
    this.#emit = emit;
    this.#stop = new StopSequences(stop);
  }

  get stopSequence(): string | undefined {
    return this.#stop.matched;
  }

  /**
   * Emits the events that one more token adds; true where a stop sequence ended the turn. `honourStop`: enough tokens
   * came for a stop sequence to count.
   */
  push(bytes: Uint8Array, logprob: GeneratedTokenLogprob | undefined, honourStop: boolean): boolean {
    const decoded = this.#decoder.decode(bytes, { stream: true });
    this.#missingBytes = missingAfter(bytes, this.#missingBytes);
    if (this.reader === undefined) return this.#pushText(decoded, logprob, honourStop);
    if (logprob !== undefined)
      this.#unread.push({ text: decoded, isPartial: this.#missingBytes > 0, logprob });
    return this.#emitAll(this.reader.push(decoded), honourStop);
  }

  /** Forgets the first bytes of a character whose other bytes will not come. */
  dropPartialCharacter(): void {
    this.#decoder = newDecoder();
    this.#missingBytes = 0;
    this.#unread = [];
  }

  /** Emits the events that were held back, to be called when the generation has ended. */
  finish(): void {
    if (!this.#emitAll(this.reader?.finish() ?? [], true)) this.#emitText(this.#stop.flush(), this.#waiting);
  }

  /** True where a stop sequence ended the turn: the text after it is dropped. */
  #emitAll(events: readonly TurnEvent[], honourStop: boolean): boolean {
    for (const event of events) {
      if (event.type === 'text') {
        for (const waiting of this.#tokensOf(event.text)) this.#waiting.push(waiting);
        if (this.#pushText(event.text, undefined, honourStop)) return true;
      } else {
        // The last token may go on with text.
        this.#unread = this.#unread.slice(-1);
        this.#emit(event);
      }
    }
    return false;
  }

  /** The log-probabilities of the tokens that end in `text`, which comes next. Those before it were syntax. */
  #tokensOf(text: string): WaitingLogprob[] {
    const unread = this.#unread.map((token) => token.text).join('');
    const start = unread.endsWith(text) ? unread.length - text.length : Math.max(0, unread.indexOf(text));
    const end = start + text.length;
    const rest: UnreadToken[] = [];
    const found: WaitingLogprob[] = [];
    let at = 0;
    for (const token of this.#unread) {
      const from = at;
      at += token.text.length;
      const tokenEnd = token.isPartial ? at + 1 : at;
      if (tokenEnd > end) rest.push({ ...token, text: token.text.slice(Math.max(0, end - from)) });
      else if (tokenEnd > start)
        found.push({ endChar: this.#decodedChars + tokenEnd - start, logprob: token.logprob });
    }
    this.#unread = rest;
    return found;
  }

  /** Emits text that may go out now; true where a stop sequence ended it. `logprob` belongs to the last token. */
  #pushText(decoded: string, logprob: GeneratedTokenLogprob | undefined, honourStop: boolean): boolean {
    this.#decodedChars += decoded.length;
    // The log-probability of a token that ends in the middle of a character waits for that character.
    const endChar = this.#decodedChars + (this.#missingBytes > 0 ? 1 : 0);
    if (logprob !== undefined) this.#waiting.push({ endChar, logprob });
    const { text, stopped } = honourStop
      ? this.#stop.push(decoded)
      : { text: this.#stop.flush() + decoded, stopped: false };
    this.#shownChars += text.length;
    this.#emitText(
      text,
      this.#waiting.filter((waiting) => waiting.endChar <= this.#shownChars),
    );
    return stopped;
  }

  #emitText(text: string, shown: readonly WaitingLogprob[]): void {
    this.#waiting = this.#waiting.slice(shown.length);
    const logprobs = shown.map(({ logprob }) => logprob);
    if (text !== '' || logprobs.length > 0) this.#emit({ type: 'text', text, logprobs });
  }
}

const newDecoder = () => new TextDecoder('utf-8', { ignoreBOM: true });

/** How many bytes of the last character are missing after `bytes`, when `missing` were before. */
function missingAfter(bytes: Uint8Array, missing: number): number {
  for (const byte of bytes) {
    if (byte >= 0x80 && byte < 0xc0) missing = Math.max(0, missing - 1);
    else missing = byte < 0xc2 || byte > 0xf4 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
  }
  return missing;
}
