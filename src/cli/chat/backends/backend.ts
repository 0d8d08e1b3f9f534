import type { ChatMessage } from '../../../engine/types.ts';
import type { PromptProgress } from '../../../timing/prompt-clock.ts';
import type { FinishReason } from '../../../engine/generation/generation.ts';

/** A model that can be talked with, under one of its names. */
export interface ChatModel {
  /** An id, such as `qwen3-0.6b`, or `qwen3-0.6b-r` for the same model with thoughts. */
  readonly id: string;
  readonly aliases: readonly string[];
  readonly isLoaded: boolean;
}

export interface ChatQuestion {
  /** An id or an alias. */
  readonly model: string;
  /** The last one is the user's. */
  readonly messages: readonly ChatMessage[];
  /** 0..2; 0 always gives the same answer. */
  readonly temperature: number;
}

export type AnswerEvent =
  | { readonly type: 'thought' | 'text'; readonly text: string }
  /** Before the first text: how much of the prompt is computed. */
  | { readonly type: 'progress'; readonly progress: PromptProgress }
  /** The last one; missing where the answer was stopped. */
  | { readonly type: 'end'; readonly finishReason: FinishReason };

/** Where the answering models run: in this process, or in the running server. */
export interface ChatBackend {
  /** Where answers come from, in words for the user; undefined: from this process. */
  readonly place: string | undefined;
  /** By id. */
  models(): Promise<readonly ChatModel[]>;
  /**
   * The answer as it comes. Ends early, or throws, when `signal` aborts. Throws AppError, or ServerGoneError where the
   * server has gone.
   */
  answer(question: ChatQuestion, signal: AbortSignal): AsyncIterable<AnswerEvent>;
  /** Frees everything. */
  close(): Promise<void>;
}
