import type { GeneratedTokenLogprob } from '../types.ts';
import { StopSequences } from './stop-sequences.ts';

/** What one more token adds to what the client may see. */
export interface TextPiece {
  readonly text: string;
  readonly logprobs: readonly GeneratedTokenLogprob[];
  /** A stop sequence ended the text. */
  readonly stopped: boolean;
}

/** From token bytes to text: whole characters only, never a stop sequence, log-probabilities beside their text. */
export class GeneratedText {
  readonly #decoder = new TextDecoder('utf-8');
  readonly #stop: StopSequences;
  /** Characters decoded, and of these the ones that were shown. */
  #decodedChars = 0;
  #shownChars = 0;
  #waitingLogprobs: { readonly endChar: number; readonly logprob: GeneratedTokenLogprob }[] = [];

  constructor(stop: readonly string[]) {
    this.#stop = new StopSequences(stop);
  }

  /** `honourStop` false: too few tokens came yet for a stop sequence to count. */
  push(bytes: Uint8Array, logprob: GeneratedTokenLogprob | undefined, honourStop: boolean): TextPiece {
    const decoded = this.#decoder.decode(bytes, { stream: true });
    this.#decodedChars += decoded.length;
    if (logprob !== undefined) this.#waitingLogprobs.push({ endChar: this.#decodedChars, logprob });
    if (!honourStop) return this.#piece(this.#stop.flush() + decoded, false);
    const { text, stopped } = this.#stop.push(decoded);
    return this.#piece(text, stopped);
  }

  /** What was held back; bytes of a character that never became whole are dropped. */
  finish(): TextPiece {
    return this.#piece(this.#stop.flush(), false);
  }

  #piece(text: string, stopped: boolean): TextPiece {
    this.#shownChars += text.length;
    if (this.#waitingLogprobs.length === 0) return { text, logprobs: [], stopped };
    const shown = this.#waitingLogprobs.filter(({ endChar }) => endChar <= this.#shownChars);
    this.#waitingLogprobs = this.#waitingLogprobs.slice(shown.length);
    return { text, logprobs: shown.map(({ logprob }) => logprob), stopped };
  }
}
