import type { GeneratedTokenLogprob, GenerationEvent, TurnEvent } from '../generation.ts';
import { GeneratedText, type TextPiece } from './text/generated-text.ts';
import { TurnReader, type TurnReaderOptions } from './turn-reader.ts';

export interface GeneratedTurnOptions {
  /** Undefined: everything is text. */
  readonly reader: TurnReaderOptions | undefined;
  readonly stop: readonly string[];
  readonly emit: (event: GenerationEvent) => void;
}

/**
 * Turns the bytes of generated tokens into the events of a turn: thoughts, text and calls. Stop sequences and
 * log-probabilities apply to the text only.
 */
export class GeneratedTurn {
  readonly reader: TurnReader | undefined;
  readonly #emit: GeneratedTurnOptions['emit'];
  readonly #text: GeneratedText;
  #decoder = newDecoder();

  constructor({ reader, stop, emit }: GeneratedTurnOptions) {
    this.reader = reader && new TurnReader(reader);
    this.#emit = emit;
    this.#text = new GeneratedText(stop);
  }

  get stopSequence(): string | undefined {
    return this.#text.stopSequence;
  }

  /**
   * Emits the events that one more token adds; true where a stop sequence ended the turn. `honourStop`: enough tokens
   * came for a stop sequence to count.
   */
  push(bytes: Uint8Array, logprob: GeneratedTokenLogprob | undefined, honourStop: boolean): boolean {
    if (this.reader === undefined) return this.#emitText(this.#text.push(bytes, logprob, honourStop));
    const events = this.reader.push(this.#decoder.decode(bytes, { stream: true }));
    const isText = !this.reader.inThought && this.reader.callCount === 0;
    return this.#emitAll(events, isText ? logprob : undefined, honourStop);
  }

  /** Forgets the first bytes of a character whose other bytes will not come. */
  dropPartialCharacter(): void {
    this.#decoder = newDecoder();
  }

  /** Emits the events that were held back, to be called when the generation has ended. */
  finish(): void {
    if (!this.#emitAll(this.reader?.finish() ?? [], undefined, true)) this.#emitText(this.#text.finish());
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
      else if (this.#emitText(this.#text.pushText(event.text, unshown, honourStop))) return true;
      else unshown = undefined;
    }
    // The reader may hold a token's text back; its log-probability is passed on at once.
    if (unshown !== undefined) this.#emitText(this.#text.pushText('', unshown, honourStop));
    return false;
  }

  #emitText({ text, logprobs, stopped }: TextPiece): boolean {
    if (text !== '' || logprobs.length > 0) this.#emit({ type: 'text', text, logprobs });
    return stopped;
  }
}

const newDecoder = () => new TextDecoder('utf-8', { ignoreBOM: true });
