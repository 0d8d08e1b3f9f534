import type { GeneratedTokenLogprob, GenerationEvent } from '../types.ts';
import { GeneratedText, type TextPiece } from './text/generated-text.ts';
import { TurnReader, type TurnReaderOptions } from './turn-reader.ts';

/** What one more token adds to a turn. */
export interface TurnPiece {
  readonly events: readonly GenerationEvent[];
  /** A stop sequence ended the turn. */
  readonly stopped: boolean;
}

/**
 * From token bytes to a turn's events: thoughts, text and calls. Stop sequences and log-probabilities are about
 * the text only. Without a reader all is text.
 */
export class GeneratedTurn {
  readonly reader: TurnReader | undefined;
  #decoder = newDecoder();
  readonly #text: GeneratedText;

  constructor(options: TurnReaderOptions | undefined, stop: readonly string[]) {
    this.reader = options && new TurnReader(options);
    this.#text = new GeneratedText(stop);
  }

  push(bytes: Uint8Array, logprob: GeneratedTokenLogprob | undefined, honourStop: boolean): TurnPiece {
    if (this.reader === undefined) return toTurnPiece(this.#text.push(bytes, logprob, honourStop));
    const turnEvents = this.reader.push(this.#decoder.decode(bytes, { stream: true }));
    const isText = !this.reader.inThought && this.reader.callCount === 0;
    return this.#show(turnEvents, isText ? logprob : undefined, honourStop);
  }

  /** Forgets the bytes of a character that will not be completed. */
  dropPartialCharacter(): void {
    this.#decoder = newDecoder();
  }

  /** What was held back: generation ended. */
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
    // The reader may hold a token's text back; what the model thought of it is known all the same.
    if (unshown !== undefined) show('', unshown);
    return { events, stopped: false };
  }
}

const newDecoder = () => new TextDecoder('utf-8', { ignoreBOM: true });

function toTurnPiece({ text, logprobs, stopped }: TextPiece): TurnPiece {
  const isEmpty = text === '' && logprobs.length === 0;
  return { events: isEmpty ? [] : [{ type: 'text', text, logprobs }], stopped };
}
