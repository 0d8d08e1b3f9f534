import type { GeneratedTokenLogprob, GenerationEvent, TurnEvent } from '../generation.ts';
import { StopSequences } from './text/stop-sequences.ts';
import { TurnReader, type TurnReaderOptions } from './turn-reader.ts';

export interface GeneratedTurnOptions {
  /** Undefined: everything is text. */
  readonly reader: TurnReaderOptions | undefined;
  readonly stop: readonly string[];
  readonly emit: (event: GenerationEvent) => void;
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
  /** Without a reader: how many bytes of the last character have not come yet. */
  #missingBytes = 0;
  #waiting: WaitingLogprob[] = [];

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
    if (this.reader === undefined) {
      this.#missingBytes = missingAfter(bytes, this.#missingBytes);
      return this.#pushText(decoded, logprob, honourStop);
    }
    const events = this.reader.push(decoded);
    const isText = !this.reader.inThought && this.reader.callCount === 0;
    return this.#emitAll(events, isText ? logprob : undefined, honourStop);
  }

  /** Forgets the first bytes of a character whose other bytes will not come. */
  dropPartialCharacter(): void {
    this.#decoder = newDecoder();
  }

  /** Emits the events that were held back, to be called when the generation has ended. */
  finish(): void {
    if (!this.#emitAll(this.reader?.finish() ?? [], undefined, true))
      this.#emitText(this.#stop.flush(), this.#waiting);
  }

  /** True where a stop sequence ended the turn: what comes after it is dropped. */
  #emitAll(
    events: readonly TurnEvent[],
    logprob: GeneratedTokenLogprob | undefined,
    honourStop: boolean,
  ): boolean {
    let unshown = logprob;
    for (const event of events) {
      if (event.type !== 'text') this.#emit(event);
      else if (this.#pushText(event.text, unshown, honourStop)) return true;
      else unshown = undefined;
    }
    // The reader may hold a token's text back; its log-probability is passed on at once.
    if (unshown !== undefined) this.#pushText('', unshown, honourStop);
    return false;
  }

  /** Emits what may be handed out now; true where a stop sequence ended it. `logprob` belongs to the last token. */
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
