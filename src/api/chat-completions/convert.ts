import { defaultSampling } from '../../engine/default-sampling.ts';
import type { Principal } from '../../accounts/types.ts';
import type { GenerationRequest, OutputFormat, SamplingOptions } from '../../engine/types.ts';
import { AppError } from '../../errors.ts';
import type { NamedModel } from '../model-names.ts';
import { toChatMessages } from './convert-messages.ts';
import { toReasoningRequest } from './convert-reasoning.ts';
import type { ReasoningTokens } from './convert-reasoning.ts';
import { toToolUse } from './convert-tools.ts';
import type { ChatCompletionParameters } from './schema.ts';

/** What the engine is asked for; throws where two parameters contradict each other, or the model. */
export function toGenerationRequest(
  parameters: ChatCompletionParameters,
  named: NamedModel,
  principal: Principal,
  maxReasoningTokens: ReasoningTokens,
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
  const tools = toToolUse(parameters);
  const outputFormat = toOutputFormat(parameters.response_format);
  const reasoning = toReasoningRequest(parameters, named, maxReasoningTokens, maxTokens);
  return {
    modelId: named.model.id,
    accountId: principal.accountId,
    keyId: principal.keyId,
    prompt: { kind: 'messages', messages: toChatMessages(parameters.messages) },
    sampling: toSamplingOptions(parameters),
    stop: toStopSequences(parameters.stop),
    maxTokens,
    minTokens,
    ignoreEos: parameters.ignore_eos ?? false,
    topLogprobs: toTopLogprobs(parameters),
    ...(tools && { tools }),
    ...(outputFormat && { outputFormat }),
    ...(reasoning && { reasoning }),
  };
}

function toOutputFormat(format: ChatCompletionParameters['response_format']): OutputFormat | undefined {
  switch (format?.type) {
    case undefined:
    case 'text':
      return undefined;
    case 'json_object':
      return { kind: 'json-object' };
    case 'json_schema':
      return { kind: 'json-schema', schema: format.json_schema.schema };
    default:
      return format satisfies never;
  }
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
