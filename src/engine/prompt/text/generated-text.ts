import type { GeneratedTokenLogprob } from '../../types.ts';
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
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #stop: StopSequences;
  /** Characters decoded, and of these the ones that were shown. */
  #decodedChars = 0;
  #shownChars = 0;
  /** Bytes that the last character still lacks. */
  #missingBytes = 0;
  #waitingLogprobs: { readonly endChar: number; readonly logprob: GeneratedTokenLogprob }[] = [];

  constructor(stop: readonly string[]) {
    this.#stop = new StopSequences(stop);
  }

  /** `honourStop` false: too few tokens came yet for a stop sequence to count. */
  push(bytes: Uint8Array, logprob: GeneratedTokenLogprob | undefined, honourStop: boolean): TextPiece {
    const decoded = this.#decoder.decode(bytes, { stream: true });
    this.#missingBytes = missingAfter(bytes, this.#missingBytes);
    return this.pushText(decoded, logprob, honourStop);
  }

  /** The same for text that was decoded elsewhere; `logprob` belongs to its last token. */
  pushText(decoded: string, logprob: GeneratedTokenLogprob | undefined, honourStop: boolean): TextPiece {
    this.#decodedChars += decoded.length;
    // A token that ends within a character waits for the rest of it.
    const endChar = this.#decodedChars + (this.#missingBytes > 0 ? 1 : 0);
    if (logprob !== undefined) this.#waitingLogprobs.push({ endChar, logprob });
    if (!honourStop) return this.#piece(this.#stop.flush() + decoded, false);
    const { text, stopped } = this.#stop.push(decoded);
    return this.#piece(text, stopped);
  }

  /** What was held back; bytes of a character that never became whole are dropped. */
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

/** How many bytes the last character still lacks after `bytes`, when it lacked `missing` before. */
function missingAfter(bytes: Uint8Array, missing: number): number {
  for (const byte of bytes) {
    if (byte >= 0x80 && byte < 0xc0) missing = Math.max(0, missing - 1);
    else missing = byte < 0xc2 || byte > 0xf4 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
  }
  return missing;
}
