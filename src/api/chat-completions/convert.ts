import type { Principal } from '../../accounts/types.ts';
import type { GenerationRequest, OutputFormat } from '../../engine/types.ts';
import { AppError } from '../../errors.ts';
import type { NamedModel } from '../model/model-names.ts';
import { toReasoningRequest } from '../parameters/reasoning-request.ts';
import type { ReasoningTokens } from '../parameters/reasoning-request.ts';
import { checkMinTokens, toSamplingOptions, toStopSequences } from '../parameters/sampling-parameters.ts';
import { toChatMessages } from './convert-messages.ts';
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
  checkMinTokens(minTokens, maxTokens);
  const { keep_alive: keepAliveMs } = parameters;
  const tools = toToolUse(parameters);
  const outputFormat = toOutputFormat(parameters.response_format);
  const { reasoning_effort: effort, reasoning_enabled: enabled } = parameters;
  const reasoning = toReasoningRequest(
    { effort, effortPath: ['reasoning_effort'], enabled },
    named,
    maxReasoningTokens,
    maxTokens,
  );
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
    ...(keepAliveMs !== undefined && { keepAliveMs }),
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
