import type { Principal } from '../../accounts/types.ts';
import type { GenerationRequest, ToolUse } from '../../engine/types.ts';
import { AppError } from '../../errors/errors.ts';
import type { NamedModel } from '../model/model-names.ts';
import { toChatRequest } from '../parameters/generation-parameters.ts';
import type { OutputFormatParameter } from '../parameters/output-format.ts';
import type { ReasoningTokens } from '../parameters/reasoning-request.ts';
import { toToolUse } from '../parameters/tool-use.ts';
import { outputSchemaPlace, toolPlaces } from '../generation/to-wire-error.ts';
import type { ParameterPlace } from '../generation/to-wire-error.ts';
import { toChatMessages } from './convert-messages.ts';
import type { ChatCompletionParameters } from './schema.ts';
import { toOfferedTools, toolPathsOf, toToolChoice } from './tools.ts';

/** The engine's request. Throws AppError if parameters contradict each other or do not fit the model. */
export function toGenerationRequest(
  parameters: ChatCompletionParameters,
  named: NamedModel,
  principal: Principal,
  maxReasoningTokens: ReasoningTokens,
): GenerationRequest {
  const parts = {
    maxTokens: parameters.max_completion_tokens ?? parameters.max_tokens,
    tools: toTools(parameters),
    outputFormat: toFormat(parameters.response_format),
    reasoning: {
      effort: parameters.reasoning_effort,
      effortPath: ['reasoning_effort'],
      enabled: parameters.reasoning_enabled,
    },
    messages: toChatMessages(parameters.messages),
    topLogprobs: toTopLogprobs(parameters),
  };
  return toChatRequest(parameters, parts, named, principal, maxReasoningTokens);
}

function toTools({
  tools = [],
  tool_choice: choice = 'auto',
  parallel_tool_calls: parallel = true,
}: ChatCompletionParameters): ToolUse | undefined {
  const { functions, paths } = toOfferedTools(tools);
  return toToolUse(functions, toToolChoice(choice), parallel, toolPathsOf(paths, choice));
}

/** The places of all parameters that the engine's errors name. */
export function placesIn({ tools = [] }: ChatCompletionParameters): readonly ParameterPlace[] {
  return [
    [outputSchemaPlace, 'response_format.json_schema.schema'],
    ...toolPlaces(toOfferedTools(tools).paths, ['format', 'grammar', 'definition']),
  ];
}

function toFormat(format: ChatCompletionParameters['response_format']): OutputFormatParameter | undefined {
  return format?.type === 'json_schema' ? { type: format.type, schema: format.json_schema.schema } : format;
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
