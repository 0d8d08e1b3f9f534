import type { GeneratedTokenLogprob, GenerationEvent } from '../generation.ts';
import { GeneratedText, type TextPiece } from './text/generated-text.ts';
import { TurnReader, type TurnReaderOptions } from './turn-reader.ts';

/** The events that one more token adds to a turn. */
export interface TurnPiece {
  readonly events: readonly GenerationEvent[];
  /** True when a stop sequence ended the turn. */
  readonly stopped: boolean;
}

/**
 * Turns the bytes of generated tokens into the events of a turn: thoughts, text and calls. Stop sequences and
 * log-probabilities apply to the text only. Without a reader everything is text.
 */
export class GeneratedTurn {
  readonly reader: TurnReader | undefined;
  #decoder = newDecoder();
  readonly #text: GeneratedText;

  constructor(options: TurnReaderOptions | undefined, stop: readonly string[]) {
    this.reader = options && new TurnReader(options);
    this.#text = new GeneratedText(stop);
  }

  /** The stop sequence that ended the turn. */
  get stopSequence(): string | undefined {
    return this.#text.stopSequence;
  }

  /** The piece that one more token adds. `honourStop`: enough tokens came for a stop sequence to count. */
  push(bytes: Uint8Array, logprob: GeneratedTokenLogprob | undefined, honourStop: boolean): TurnPiece {
    if (this.reader === undefined) return toTurnPiece(this.#text.push(bytes, logprob, honourStop));
    const turnEvents = this.reader.push(this.#decoder.decode(bytes, { stream: true }));
    const isText = !this.reader.inThought && this.reader.callCount === 0;
    return this.#show(turnEvents, isText ? logprob : undefined, honourStop);
  }

  /** Forgets the first bytes of a character whose other bytes will not come. */
  dropPartialCharacter(): void {
    this.#decoder = newDecoder();
  }

  /** The events that were held back, to be called when the generation has ended. */
  finish(): TurnPiece {
    const { events, stopped } = this.#show(this.reader?.finish() ?? [], undefined, true);
    if (stopped) return { events, stopped };
    return { events: [...events, ...toTurnPiece(this.#text.finish()).events], stopped };
  }

  #show(
    turnEvents: ReturnType<TurnReader['push']>,
    logprob: GeneratedTokenLogprob | undefined,
    honourStop: boolean,
  ): TurnPiece {
    const events: GenerationEvent[] = [];
    const show = (text: string, own: GeneratedTokenLogprob | undefined): boolean => {
      const piece = toTurnPiece(this.#text.pushText(text, own, honourStop));
      events.push(...piece.events);
      return piece.stopped;
    };
    let unshown = logprob;
    for (const event of turnEvents) {
      if (event.type !== 'text') events.push(event);
      else if (show(event.text, unshown)) return { events, stopped: true };
      else unshown = undefined;
    }
    // The reader may hold a token's text back; its log-probability is passed on at once.
    if (unshown !== undefined) show('', unshown);
    return { events, stopped: false };
  }
}

const newDecoder = () => new TextDecoder('utf-8', { ignoreBOM: true });

function toTurnPiece({ text, logprobs, stopped }: TextPiece): TurnPiece {
  const isEmpty = text === '' && logprobs.length === 0;
  return { events: isEmpty ? [] : [{ type: 'text', text, logprobs }], stopped };
}
