import type { ToolUse } from '../../engine/types.ts';
import { toToolUse as toCommonToolUse } from '../parameters/tool-use.ts';
import type { ToolChoice, ToolPaths } from '../parameters/tool-use.ts';
import type { ChatCompletionParameters } from './schema.ts';
import type { ToolChoiceParameter } from './tool-schema.ts';

const paths: ToolPaths = {
  function: (index) => ['tools', index, 'function'],
  chosenName: ['tool_choice', 'function', 'name'],
  allowedName: (index) => ['tool_choice', 'allowed_tools', 'tools', index, 'function', 'name'],
};

/** The functions of a request and how they may be used; undefined where the model is to see none. */
export function toToolUse(parameters: ChatCompletionParameters): ToolUse | undefined {
  const { tools = [], tool_choice: choice = 'auto', parallel_tool_calls: parallel = true } = parameters;
  const offered = tools.map((tool) => tool.function);
  return toCommonToolUse(offered, toChoice(choice), parallel, paths);
}

function toChoice(choice: ToolChoiceParameter): ToolChoice {
  if (typeof choice === 'string') return choice;
  if (choice.type === 'function') return { kind: 'function', name: choice.function.name };
  const { mode, tools } = choice.allowed_tools;
  return { kind: 'allowed', names: tools.map((tool) => tool.function.name), required: mode === 'required' };
}
