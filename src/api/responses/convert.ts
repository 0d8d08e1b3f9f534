import type { Principal } from '../../accounts/types.ts';
import type { ChatMessage, GenerationRequest, OutputFormat, ToolUse } from '../../engine/types.ts';
import type { NamedModel } from '../model/model-names.ts';
import { toReasoningRequest } from '../parameters/reasoning-request.ts';
import type { ReasoningTokens } from '../parameters/reasoning-request.ts';
import { toSamplingOptions } from '../parameters/sampling-parameters.ts';
import { toToolUse } from '../parameters/tool-use.ts';
import type { ToolChoice, ToolPaths } from '../parameters/tool-use.ts';
import type { ResponseParameters, ToolChoiceParameter } from './schema.ts';

/** What the engine is asked for; throws where two parameters contradict each other, or the model. */
export function toGenerationRequest(
  parameters: ResponseParameters,
  messages: readonly ChatMessage[],
  named: NamedModel,
  principal: Principal,
  maxReasoningTokens: ReasoningTokens,
): GenerationRequest {
  const maxTokens = parameters.max_output_tokens;
  const tools = toTools(parameters);
  const outputFormat = toOutputFormat(parameters.text);
  const reasoning = toReasoningRequest(
    { effort: parameters.reasoning?.effort, effortPath: ['reasoning', 'effort'] },
    named,
    maxReasoningTokens,
    maxTokens,
  );
  return {
    modelId: named.model.id,
    accountId: principal.accountId,
    keyId: principal.keyId,
    prompt: { kind: 'messages', messages },
    sampling: toSamplingOptions(parameters),
    stop: [],
    maxTokens,
    minTokens: 0,
    ignoreEos: false,
    topLogprobs: toTopLogprobs(parameters),
    ...(tools && { tools }),
    ...(outputFormat && { outputFormat }),
    ...(reasoning && { reasoning }),
  };
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

function toOutputFormat(text: ResponseParameters['text']): OutputFormat | undefined {
  const format = text?.format;
  switch (format?.type) {
    case undefined:
    case 'text':
      return undefined;
    case 'json_object':
      return { kind: 'json-object' };
    case 'json_schema':
      return { kind: 'json-schema', schema: format.schema };
    default:
      return format satisfies never;
  }
}

/** Either of the two parameters asks for log-probabilities. */
function toTopLogprobs({ include = [], top_logprobs: top = 0 }: ResponseParameters): number | undefined {
  return top > 0 || include.includes('message.output_text.logprobs') ? top : undefined;
}
