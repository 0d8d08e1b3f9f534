import type { CompletionIdentity } from '../generation/completion-identity.ts';
import type { GeneratedTokenLogprob, GenerationEnd, ToolCall, Usage } from '../../engine/types.ts';
import { toWireTokens } from '../generation/wire-logprobs.ts';

export type FinishedGeneration = Extract<GenerationEnd, { outcome: 'finished' }>;

/** What a model answered, whole. */
export interface Answer {
  readonly text: string;
  /** '' where it did not think. */
  readonly reasoning: string;
  readonly calls: readonly ToolCall[];
  /** null unless asked for. */
  readonly logprobs: readonly GeneratedTokenLogprob[] | null;
}

/** The JSON object of a completion that was not streamed. */
export function toChatCompletion(
  identity: CompletionIdentity,
  answer: Answer,
  { finishReason, usage }: FinishedGeneration,
) {
  return {
    id: identity.id,
    object: 'chat.completion',
    created: identity.createdSeconds,
    model: identity.model,
    system_fingerprint: identity.systemFingerprint,
    choices: [
      {
        index: 0,
        message: toWireMessage(answer),
        logprobs: answer.logprobs === null ? null : toWireLogprobs(answer.logprobs),
        finish_reason: finishReason,
      },
    ],
    usage: toWireUsage(usage),
  };
}

function toWireMessage({ text, reasoning, calls }: Answer) {
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(reasoning !== '' && toWireReasoning(reasoning)),
    ...(calls.length > 0 && { tool_calls: calls.map(toWireCall) }),
  };
}

/** Under both names that clients look for: vLLM's and DeepSeek's, and OpenRouter's. */
export function toWireReasoning(text: string) {
  return { reasoning_content: text, reasoning: text };
}

export function toWireCall({ id, name, arguments: text }: ToolCall) {
  return { id, type: 'function', function: { name, arguments: text } };
}

export interface WireUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
  readonly completion_tokens_details: { readonly reasoning_tokens: number };
}

export function toWireUsage(usage: Usage): WireUsage {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedTokens },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}

/** `choices[].logprobs` as OpenAI has it. */
export function toWireLogprobs(tokens: readonly GeneratedTokenLogprob[]) {
  return { content: toWireTokens(tokens), refusal: null };
}
