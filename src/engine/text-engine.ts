import type { GenerationRequest, ModelUse } from './types.ts';
import type { SpentTokens, TokenLogprob, WorkEnd } from './generation/generation.ts';
import type { Caller } from './queue/waiting-room.ts';

/** A prompt to be read as the model's tokens, or tokens to be read as text. Nothing is computed. */
export interface TokenizeRequest
  extends
    Caller,
    Pick<
      GenerationRequest,
      'modelId' | 'prompt' | 'tools' | 'reasoning' | 'templateVariables' | 'keepAliveMs'
    > {
  /** In front of a text comes the token with which the model begins; a conversation has it in any case. */
  readonly addSpecial: boolean;
  /** In a text, the texts of control tokens become those tokens. */
  readonly parseSpecial: boolean;
  /** The text of each token is wanted. */
  readonly withPieces: boolean;
}

export interface TokenizedText {
  readonly tokens: readonly number[];
  /** The text of each token, incomplete UTF-8 as U+FFFD, and its exact bytes; empty unless wanted. */
  readonly pieces: readonly Pick<TokenLogprob, 'token' | 'bytes'>[];
  /** Of all tokens, without a beginning-of-sequence token. */
  readonly text: string;
  /** Tokens that the model holds. */
  readonly contextTokens: number;
}

/** Texts whose bearing on a query is to be judged. */
export interface RankRequest extends ModelUse {
  readonly query: string;
  readonly documents: readonly string[];
}

/**
 * How a ranking ended: with a score from 0 to 1 for each document, in their order. Errors are those of embeddings;
 * `query` and `inputs[2]` name a text that is too long.
 */
export type RankEnd = WorkEnd<{ readonly scores: readonly number[] }, SpentTokens>;

/** Tokenizes and ranks texts, with any model that can. */
export interface TextEngine {
  /** The tokens of a prompt, or the text of tokens. Throws AppError as a generation would, or the reason of `signal`. */
  tokenize(request: TokenizeRequest, signal: AbortSignal): Promise<TokenizedText>;
  /** Resolves when the ranking has ended; aborting `signal` ends it within one step. Never rejects. */
  rank(request: RankRequest, signal: AbortSignal): Promise<RankEnd>;
}
