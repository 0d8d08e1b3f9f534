/** The results of the engine: plain data and events, as in `types.ts`. */

import { engineError } from '../../errors/unavailable.ts';
import type { EmbeddingRequest, GenerationRequest } from '../types.ts';

export interface TokenLogprob {
  /** The token's text; incomplete UTF-8 shows as U+FFFD, `bytes` is exact. */
  readonly token: string;
  /** Natural logarithm of the token's probability under the unmodified model. */
  readonly logprob: number;
  readonly bytes: readonly number[];
}

export interface GeneratedTokenLogprob extends TokenLogprob {
  /** Best first. */
  readonly topLogprobs: readonly TokenLogprob[];
}

export interface PromptTokenLogprob extends Omit<GeneratedTokenLogprob, 'logprob'> {
  /** null for the first token: nothing comes before it. */
  readonly logprob: number | null;
}

/** A prompt as the model saw it. */
export interface EchoedPrompt {
  /** A text prompt unchanged, a token prompt as text; without a beginning-of-sequence token. */
  readonly text: string;
  /** One entry per prompt token; undefined unless log-probabilities are wanted. */
  readonly logprobs?: readonly PromptTokenLogprob[];
}

/**
 * A piece of a model's turn. Calls are numbered from 0; a call's arguments are one JSON object in pieces, all of them
 * before anything else; only the last call of an answer that reached its maximum of tokens may be cut off.
 */
export type TurnEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'tool-call'; readonly index: number; readonly name: string }
  | { readonly type: 'tool-arguments'; readonly index: number; readonly text: string };

/** A generation begins. */
export interface StartedEvent {
  readonly type: 'started';
  /** An estimate where another server computes: the end has the number that is charged. */
  readonly promptTokens: number;
  readonly cachedTokens: number;
  /** Only where the request has `echo`. */
  readonly prompt?: EchoedPrompt;
  /**
   * Keywords of the request's schemas that are unknown, and those of its `templateVariables` that the chat template
   * does not read; their paths are named as in errors.
   */
  readonly ignored?: readonly string[];
}

/** How far a prompt is computed; several times before `started`, of requests that ask for it. */
export interface ProgressEvent extends Pick<StartedEvent, 'promptTokens' | 'cachedTokens' | 'ignored'> {
  readonly type: 'progress';
  /** Of its tokens, those that are cached or computed. */
  readonly processedTokens: number;
  /** Since the request got its slot. */
  readonly elapsedMs: number;
}

/** An event of an engine: one `started`, then the pieces of the turn as they come. Readers get it as blocks. */
export type GenerationEvent =
  | StartedEvent
  | ProgressEvent
  | {
      readonly type: 'text';
      /** Whole UTF-8 characters, free of stop sequences; may be '' when it only carries logprobs. */
      readonly text: string;
      /** One entry per token whose text this event completes; empty unless asked for. */
      readonly logprobs: readonly GeneratedTokenLogprob[];
    }
  | Exclude<TurnEvent, { type: 'text' }>;

/** A part of an answer that stands for itself: its text, a thought, or a call. It grows until it is closed. */
export type AnswerBlock = TextBlock | ThoughtBlock | CallBlock;

interface Block {
  text: string;
  /** The maximum of tokens was reached within it. */
  isCutOff: boolean;
}

export interface TextBlock extends Block {
  readonly type: 'text';
  /** Of its tokens, where the request asks for them. */
  readonly logprobs: GeneratedTokenLogprob[];
}

export interface ThoughtBlock extends Block {
  readonly type: 'thought';
}

/** Its text is the arguments: one JSON object, unless the block was cut off. */
export interface CallBlock extends Block {
  readonly type: 'call';
  readonly name: string;
}

/** Each block is opened, grows by pieces, and is closed before the next one. Those of a failed answer may stay open. */
export type BlockEvent<Of = AnswerBlock> =
  | { readonly type: 'open'; readonly block: Of }
  /** `text` and `logprobs` are those of the new piece. */
  | {
      readonly type: 'delta';
      readonly block: Of;
      readonly text: string;
      readonly logprobs: readonly GeneratedTokenLogprob[];
    }
  | { readonly type: 'close'; readonly block: Of };

/** An answer as its reader gets it: how far its prompt is, that it began, and its blocks. */
export type AnswerEvent = StartedEvent | ProgressEvent | BlockEvent;

/** All that a model has written. */
export interface AnswerDocument {
  readonly blocks: readonly AnswerBlock[];
  /** Only where the request has `echo`. */
  readonly prompt: EchoedPrompt | undefined;
}

export type FinishReason = 'stop' | 'length' | 'tool_calls';

export interface Usage {
  /** Prompt tokens processed: all of them, unless the generation ended during prefill. */
  readonly promptTokens: number;
  /** Of these, the ones reused from the cache. */
  readonly cachedTokens: number;
  readonly completionTokens: number;
  /** Of the completion tokens, the ones that were thought. */
  readonly reasoningTokens: number;
  /** Only where the request has a prediction. */
  readonly prediction?: PredictionUsage | undefined;
  /** Who counted, where it was another server than this one; undefined: hearth itself. */
  readonly source?: UsageSource | undefined;
}

/** Tokens of a prediction that were computed as guesses of the answer's next tokens. */
export interface PredictionUsage {
  /** The ones that the answer has: they came without steps of their own. */
  readonly acceptedTokens: number;
  /** The ones that it does not have. They are not charged. */
  readonly rejectedTokens: number;
}

/** Told by the server that computed, counted by its tokenizer afterwards, or guessed by length. */
export type UsageSource = 'reported' | 'tokenized' | 'estimated';

/** The usage of a generation that ended before anything was computed. */
export const nothingComputed: Usage = {
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
};

/** From the surest to the least sure. */
const sources: readonly Usage['source'][] = [undefined, 'reported', 'tokenized', 'estimated'];

/** The usage of two generations together, as sure as the less sure of the two. */
export function addUsage(a: Usage, b: Usage): Usage {
  const [one, other] = [a.prediction, b.prediction];
  const sum = (name: keyof PredictionUsage) => (one?.[name] ?? 0) + (other?.[name] ?? 0);
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    ...((one ?? other) && {
      prediction: { acceptedTokens: sum('acceptedTokens'), rejectedTokens: sum('rejectedTokens') },
    }),
    source: sources[Math.max(sources.indexOf(a.source), sources.indexOf(b.source))],
  };
}

/** How work of a model ended. `Spent` counts the work that was done. */
export type WorkEnd<Finished, Spent> =
  | (Spent & Finished & { readonly outcome: 'finished' })
  | BrokenOff<Spent>;

/** How work ended that did not finish. */
type BrokenOff<Spent> = Spent &
  ({ readonly outcome: 'aborted' } | { readonly outcome: 'failed'; readonly error: Error });

/**
 * How work ended that threw `cause`: it was aborted where `signal` is, and failed otherwise. `failure` is the message for
 * clients where `cause` is no AppError.
 */
export const brokenOff = <Spent extends object>(
  signal: AbortSignal,
  cause: unknown,
  spent: Spent,
  failure?: string,
): BrokenOff<Spent> =>
  signal.aborted
    ? { outcome: 'aborted', ...spent }
    : { outcome: 'failed', error: engineError(cause, failure), ...spent };

export interface SpentTokens {
  readonly usage: Usage;
}

/** How a finished generation came to its end. */
interface FinishedText {
  readonly finishReason: FinishReason;
  /** The one of the request's stop sequences that ended the answer. */
  readonly stopSequence?: string | undefined;
}

export type GenerationEnd = WorkEnd<FinishedText, SpentTokens>;
export type FinishedGeneration = Extract<GenerationEnd, { outcome: 'finished' }>;

export interface Generation {
  /** All that the read events tell. */
  readonly answer: AnswerDocument;
  /**
   * Begins with `started`. Ends after the last block when the generation finished or was aborted; throws when it failed
   * (AppError: context_length_exceeded, server_overloaded, model_loading, model_load_failed, engine_error …).
   * To be read once. Leaving the loop early aborts the generation.
   */
  readonly events: AsyncIterable<AnswerEvent>;
  /** Resolves when the request has passed all checks, or has ended; never rejects. */
  readonly accepted: Promise<void>;
  /** Always resolves, once the slot is free again; never rejects. */
  readonly ended: Promise<GenerationEnd>;
  /**
   * The usage by now, which may be ahead of the events that were read. Where another server computes, it is an estimate
   * until the end.
   */
  usageSoFar(): Usage;
}

/**
 * How embeddings ended: with a vector of length 1 per input, in their order. Errors are AppErrors:
 * context_length_exceeded and invalid_value with a `param` such as `inputs[2]`, unsupported_value, and those of a
 * generation.
 */
export type EmbeddingEnd = WorkEnd<{ readonly vectors: readonly Float32Array[] }, SpentTokens>;

/** Generates texts and computes embeddings, with any model that can. */
export interface Engine {
  /** Starts at once; aborting `signal` ends it within one step of the loop. Never throws. */
  generate(request: GenerationRequest, signal: AbortSignal): Generation;
  /**
   * The number of tokens of the request's prompt, which may be more than the context holds. Nothing is computed.
   * Throws AppError as a generation would, or the reason of `signal`.
   */
  countTokens(request: GenerationRequest, signal: AbortSignal): Promise<number>;
  /** Resolves when the embeddings have ended; aborting `signal` ends them within one step. Never rejects. */
  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingEnd>;
}
