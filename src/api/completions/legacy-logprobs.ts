import type {
  EchoedPrompt,
  GeneratedTokenLogprob,
  PromptTokenLogprob,
} from '../../engine/generation/generation.ts';
import { leastLogprob } from '../generation/wire/completion-wire.ts';

/** `choices[].logprobs` as OpenAI's completions have it: four lists with one entry per token. */
export interface LegacyLogprobs {
  readonly tokens: string[];
  /** null for the first token of an echoed prompt. */
  readonly token_logprobs: (number | null)[];
  readonly top_logprobs: (Readonly<Record<string, number>> | null)[];
  /** Where each token begins in the whole text of the choice, in Unicode characters. */
  readonly text_offset: number[];
}

type Token = GeneratedTokenLogprob | PromptTokenLogprob;

/** Converts the log-probabilities of one choice, part by part as its text is generated. */
export class LegacyLogprobsWriter {
  #decoder = newDecoder();
  #offset = 0;

  /** The part of an echoed prompt. Its text can differ from the concatenated texts of its tokens. */
  prompt({ text, logprobs = [] }: EchoedPrompt): LegacyLogprobs {
    let rest = text;
    const part = toLists(logprobs, (token) => {
      const offset = this.#offset;
      const taken = lengthAtStart(rest, this.#textOf(token));
      this.#offset += charsOf(rest.slice(0, taken));
      rest = rest.slice(taken);
      return offset;
    });
    this.#offset += charsOf(rest);
    this.#decoder = newDecoder();
    return part;
  }

  /** The part of generated text. */
  text(logprobs: readonly GeneratedTokenLogprob[]): LegacyLogprobs {
    return toLists(logprobs, (token) => {
      const offset = this.#offset;
      this.#offset += charsOf(this.#decoder.decode(Uint8Array.from(token.bytes), { stream: true }));
      return offset;
    });
  }

  /** The text of a token. A control token has a text but no bytes. */
  #textOf({ token, bytes }: Token): string {
    return bytes.length === 0 ? token : this.#decoder.decode(Uint8Array.from(bytes), { stream: true });
  }
}

export function joinLogprobs(first: LegacyLogprobs, second: LegacyLogprobs): LegacyLogprobs {
  return {
    tokens: [...first.tokens, ...second.tokens],
    token_logprobs: [...first.token_logprobs, ...second.token_logprobs],
    top_logprobs: [...first.top_logprobs, ...second.top_logprobs],
    text_offset: [...first.text_offset, ...second.text_offset],
  };
}

const newDecoder = () => new TextDecoder('utf-8', { ignoreBOM: true });
const charsOf = (text: string) => Array.from(text).length;

/** The length of `piece` if `text` begins with it, perhaps without its space, which some tokenizers add; else 0. */
function lengthAtStart(text: string, piece: string): number {
  if (text.startsWith(piece)) return piece.length;
  return piece.startsWith(' ') && text.startsWith(piece.slice(1)) ? piece.length - 1 : 0;
}

function toLists<OneToken extends Token>(
  logprobs: readonly OneToken[],
  toOffset: (token: OneToken) => number,
): LegacyLogprobs {
  return {
    tokens: logprobs.map(nameOf),
    token_logprobs: logprobs.map(({ logprob }) => toFinite(logprob)),
    top_logprobs: logprobs.map(toTop),
    text_offset: logprobs.map(toOffset),
  };
}

/** The best tokens and the chosen one, which is not always among them. */
function toTop(token: Token): Readonly<Record<string, number>> | null {
  if (token.logprob === null) return null;
  const chosen: [string, number | null] = [nameOf(token), toFinite(token.logprob)];
  const top = token.topLogprobs.map((other): [string, number | null] => [
    nameOf(other),
    toFinite(other.logprob),
  ]);
  return Object.fromEntries([...top, chosen]) as Record<string, number>;
}

const toFinite = (logprob: number | null) => (logprob === null ? null : Math.max(logprob, leastLogprob));

/** A token's text or, if it is only a part of a character, its bytes as OpenAI writes them: `bytes:\xe2\x82`. */
function nameOf({ token, bytes }: Pick<Token, 'token' | 'bytes'>): string {
  if (bytes.length === 0 || Buffer.from(token).equals(Buffer.from(bytes))) return token;
  return `bytes:${bytes.map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}`;
}
