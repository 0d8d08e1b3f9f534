import type { Principal } from '../../accounts/types.ts';
import type { ChatMessage, GenerationRequest, ToolUse } from '../../engine/types.ts';
import type { NamedModel } from '../model/model-names.ts';
import { toChatRequest } from '../parameters/generation-parameters.ts';
import { toOutputFormat } from '../parameters/output-format.ts';
import type { ReasoningTokens } from '../parameters/reasoning-request.ts';
import { toToolUse } from '../parameters/tool-use.ts';
import type { ToolChoice, ToolPaths } from '../parameters/tool-use.ts';
import type { ResponseParameters, ToolChoiceParameter } from './schema.ts';

/** The engine's request. Throws AppError if parameters contradict each other or do not fit the model. */
export function toGenerationRequest(
  parameters: ResponseParameters,
  messages: readonly ChatMessage[],
  named: NamedModel,
  principal: Principal,
  maxReasoningTokens: ReasoningTokens,
): GenerationRequest {
  const parts = {
    messages,
    maxTokens: parameters.max_output_tokens,
    topLogprobs: toTopLogprobs(parameters),
    tools: toTools(parameters),
    outputFormat: toOutputFormat(parameters.text?.format),
    reasoning: { effort: parameters.reasoning?.effort, effortPath: ['reasoning', 'effort'] },
  };
  return toChatRequest(parameters, parts, named, principal, maxReasoningTokens);
}

const paths: ToolPaths = {
  function: (index) => ['tools', index],
  chosenName: ['tool_choice', 'name'],
  allowedName: (index) => ['tool_choice', 'tools', index, 'name'],
};

function toTools(parameters: ResponseParameters): ToolUse | undefined {
  const { tools = [], tool_choice: choice = 'auto', parallel_tool_calls: parallel = true } = parameters;
  return toToolUse(tools, toChoice(choice), parallel, paths);
}

function toChoice(choice: ToolChoiceParameter): ToolChoice {
  if (typeof choice === 'string') return choice;
  if (choice.type === 'function') return { kind: 'function', name: choice.name };
  if (choice.mode === 'none') return 'none';
  return {
    kind: 'allowed',
    names: choice.tools.map(({ name }) => name),
    required: choice.mode === 'required',
  };
}

/** The number of alternatives; undefined if neither of the two parameters asks for log-probabilities. */
function toTopLogprobs({ include = [], top_logprobs: top = 0 }: ResponseParameters): number | undefined {
  return top > 0 || include.includes('message.output_text.logprobs') ? top : undefined;
}
