import type { GeneratedTokenLogprob } from '../../generation.ts';
import { StopSequences } from './stop-sequences.ts';

/** The text and logprobs that one more token adds to the client's answer. */
export interface TextPiece {
  readonly text: string;
  readonly logprobs: readonly GeneratedTokenLogprob[];
  /** True when a stop sequence ended the text. */
  readonly stopped: boolean;
}

/**
 * Turns the bytes of generated tokens into text: whole characters, no stop sequences, and each log-probability together
 * with the text of its token.
 */
export class GeneratedText {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #stop: StopSequences;
  /** How many UTF-16 code units were decoded, and how many of them were handed out. */
  #decodedChars = 0;
  #shownChars = 0;
  /** How many bytes of the last character have not come yet. */
  #missingBytes = 0;
  #waitingLogprobs: { readonly endChar: number; readonly logprob: GeneratedTokenLogprob }[] = [];

  constructor(stop: readonly string[]) {
    this.#stop = new StopSequences(stop);
  }

  get stopSequence(): string | undefined {
    return this.#stop.matched;
  }

  /** The piece that one more token adds. `honourStop`: enough tokens came for a stop sequence to count. */
  push(bytes: Uint8Array, logprob: GeneratedTokenLogprob | undefined, honourStop: boolean): TextPiece {
    const decoded = this.#decoder.decode(bytes, { stream: true });
    this.#missingBytes = missingAfter(bytes, this.#missingBytes);
    return this.pushText(decoded, logprob, honourStop);
  }

  /** The same for text that was decoded already; `logprob` belongs to its last token. */
  pushText(decoded: string, logprob: GeneratedTokenLogprob | undefined, honourStop: boolean): TextPiece {
    this.#decodedChars += decoded.length;
    // The log-probability of a token that ends in the middle of a character waits for that character.
    const endChar = this.#decodedChars + (this.#missingBytes > 0 ? 1 : 0);
    if (logprob !== undefined) this.#waitingLogprobs.push({ endChar, logprob });
    if (!honourStop) return this.#piece(this.#stop.flush() + decoded, false);
    const { text, stopped } = this.#stop.push(decoded);
    return this.#piece(text, stopped);
  }

  /** The text held back, to be called at the end. The bytes of an incomplete character are dropped. */
  finish(): TextPiece {
    const piece = this.#piece(this.#stop.flush(), false);
    const rest = this.#waitingLogprobs.map(({ logprob }) => logprob);
    this.#waitingLogprobs = [];
    return { ...piece, logprobs: [...piece.logprobs, ...rest] };
  }

  #piece(text: string, stopped: boolean): TextPiece {
    this.#shownChars += text.length;
    if (this.#waitingLogprobs.length === 0) return { text, logprobs: [], stopped };
    const shown = this.#waitingLogprobs.filter(({ endChar }) => endChar <= this.#shownChars);
    this.#waitingLogprobs = this.#waitingLogprobs.slice(shown.length);
    return { text, logprobs: shown.map(({ logprob }) => logprob), stopped };
  }
}

/** How many bytes of the last character are missing after `bytes`, when `missing` were before. */
function missingAfter(bytes: Uint8Array, missing: number): number {
  for (const byte of bytes) {
    if (byte >= 0x80 && byte < 0xc0) missing = Math.max(0, missing - 1);
    else missing = byte < 0xc2 || byte > 0xf4 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
  }
  return missing;
}
