import { defaultSampling } from '../../engine/default-sampling.ts';
import type { Principal } from '../../accounts/types.ts';
import type { CatalogModel } from '../../catalog/types.ts';
import type {
  ChatMessage,
  FinishReason,
  GeneratedTokenLogprob,
  GenerationRequest,
  SamplingOptions,
  TokenLogprob,
  Usage,
} from '../../engine/types.ts';
import { AppError } from '../../errors.ts';
import type { ChatCompletionParameters, ChatMessageParameter, ContentParameter } from './schema.ts';

/** What the engine is asked for; throws where two parameters contradict each other. */
export function toGenerationRequest(
  parameters: ChatCompletionParameters,
  model: CatalogModel,
  principal: Principal,
): GenerationRequest {
  const maxTokens = parameters.max_completion_tokens ?? parameters.max_tokens;
  const minTokens = parameters.min_tokens ?? 0;
  if (maxTokens !== undefined && minTokens > maxTokens) {
    throw new AppError(
      'invalid_value',
      `'min_tokens' must be at most the maximum of ${maxTokens} tokens that the request also sets.`,
      { param: 'min_tokens' },
    );
  }
  return {
    modelId: model.id,
    accountId: principal.accountId,
    keyId: principal.keyId,
    prompt: { kind: 'messages', messages: parameters.messages.map(toChatMessage) },
    sampling: toSamplingOptions(parameters),
    stop: toStopSequences(parameters.stop),
    maxTokens,
    minTokens,
    ignoreEos: parameters.ignore_eos ?? false,
    topLogprobs: toTopLogprobs(parameters),
  };
}

function toChatMessage(message: ChatMessageParameter): ChatMessage {
  const content = toText(message.content);
  switch (message.role) {
    case 'developer':
      return { role: 'system', content };
    case 'tool':
      return { role: 'tool', content, toolCallId: message.tool_call_id };
    case 'system':
    case 'user':
    case 'assistant':
      return { role: message.role, content };
    default:
      return message satisfies never;
  }
}

/** Lone surrogates, which no UTF-8 can hold, become U+FFFD here and not somewhere further down. */
function toText(content: ContentParameter | null): string {
  if (content === null) return '';
  if (typeof content === 'string') return content.toWellFormed();
  return content
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')
    .toWellFormed();
}

function toSamplingOptions(parameters: ChatCompletionParameters): SamplingOptions {
  return {
    temperature: parameters.temperature ?? defaultSampling.temperature,
    topP: parameters.top_p ?? defaultSampling.topP,
    topK: parameters.top_k ?? defaultSampling.topK,
    minP: parameters.min_p ?? defaultSampling.minP,
    seed: parameters.seed === undefined ? undefined : toSeed(parameters.seed),
    frequencyPenalty: parameters.frequency_penalty ?? defaultSampling.frequencyPenalty,
    presencePenalty: parameters.presence_penalty ?? defaultSampling.presencePenalty,
    repeatPenalty: parameters.repeat_penalty ?? defaultSampling.repeatPenalty,
    logitBias: parameters.logit_bias ?? defaultSampling.logitBias,
  };
}

/** An unsigned 32-bit seed for any integer: the same for the same, and itself where it already is one. */
export function toSeed(integer: number): number {
  const high = Math.floor(integer / 2 ** 32);
  // Multiplying spreads the high half over all bits (2^32 / golden ratio), so that it is not just cut off.
  return (Math.imul(high, 0x9e3779b1) ^ (integer % 2 ** 32)) >>> 0;
}

function toStopSequences(stop: ChatCompletionParameters['stop']): readonly string[] {
  if (stop === undefined) return [];
  return (typeof stop === 'string' ? [stop] : stop).map((sequence) => sequence.toWellFormed());
}

function toTopLogprobs(parameters: ChatCompletionParameters): number | undefined {
  const { logprobs = false, top_logprobs: topLogprobs = 0 } = parameters;
  if (logprobs) return topLogprobs;
  if (topLogprobs > 0) {
    throw new AppError('invalid_value', "'top_logprobs' needs 'logprobs': true. Set it, or leave both out.", {
      param: 'top_logprobs',
    });
  }
  return undefined;
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
  return {
    content: tokens.map((token) => ({
      ...toWireToken(token),
      top_logprobs: token.topLogprobs.map(toWireToken),
    })),
    refusal: null,
  };
}

/** OpenAI's stand-in for the logarithm of nothing, which JSON cannot hold. */
const leastLogprob = -9999;

function toWireToken({ token, logprob, bytes }: TokenLogprob) {
  return { token, logprob: Math.max(logprob, leastLogprob), bytes };
}

/** Everything about a completion that is the same in each of its chunks. */
export interface CompletionIdentity {
  readonly id: string;
  readonly createdSeconds: number;
  /** The id that was asked for: an alias stays an alias. */
  readonly model: string;
  readonly systemFingerprint: string;
}

/** The JSON object of a completion that was not streamed. */
export function toChatCompletion(
  identity: CompletionIdentity,
  answer: {
    text: string;
    logprobs: readonly GeneratedTokenLogprob[] | null;
    finishReason: FinishReason;
    usage: Usage;
  },
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
        message: { role: 'assistant', content: answer.text, refusal: null },
        logprobs: answer.logprobs === null ? null : toWireLogprobs(answer.logprobs),
        finish_reason: answer.finishReason,
      },
    ],
    usage: toWireUsage(answer.usage),
  };
}
