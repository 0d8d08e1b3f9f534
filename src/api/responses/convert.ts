import type { Principal } from '../../accounts/types.ts';
import type { ChatMessage, GenerationRequest, ToolUse } from '../../engine/types.ts';
import type { NamedModel } from '../model/model-names.ts';
import { toChatRequest } from '../parameters/generation-parameters.ts';
import { toOutputFormat } from '../parameters/output-format.ts';
import type { ReasoningTokens } from '../parameters/reasoning-request.ts';
import type { ResponseParameters } from './schema.ts';

/** The engine's request. Throws AppError if parameters contradict each other or do not fit the model. */
export function toGenerationRequest(
  parameters: ResponseParameters,
  messages: readonly ChatMessage[],
  tools: ToolUse | undefined,
  named: NamedModel,
  principal: Principal,
  maxReasoningTokens: ReasoningTokens,
): GenerationRequest {
  const parts = {
    messages,
    maxTokens: parameters.max_output_tokens,
    topLogprobs: toTopLogprobs(parameters),
    tools,
    outputFormat: toOutputFormat(parameters.text?.format),
    reasoning: { effort: parameters.reasoning?.effort, effortPath: ['reasoning', 'effort'] },
  };
  return toChatRequest(parameters, parts, named, principal, maxReasoningTokens);
}

/** The number of alternatives; undefined if neither of the two parameters asks for log-probabilities. */
function toTopLogprobs({ include = [], top_logprobs: top = 0 }: ResponseParameters): number | undefined {
  return top > 0 || include.includes('message.output_text.logprobs') ? top : undefined;
}
