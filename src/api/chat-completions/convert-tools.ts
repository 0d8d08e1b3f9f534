import type { ToolDefinition, ToolUse } from '../../engine/types.ts';
import { AppError } from '../../errors.ts';
import { toArgumentsSchema } from '../arguments-schema.ts';
import { formatParameterPath } from '../parameter-error.ts';
import type { ChatCompletionParameters } from './schema.ts';
import type { FunctionToolParameter } from './tool-schema.ts';

/**
 * The functions of a request and how they may be used; undefined where the model is to see none.
 * Their order is that of the request, which errors of the engine count on.
 */
export function toToolUse(parameters: ChatCompletionParameters): ToolUse | undefined {
  const { tools = [], tool_choice: choice = 'auto', parallel_tool_calls: parallel = true } = parameters;
  const names = collectNames(tools);
  if (tools.length === 0) {
    if (choice === 'none' || choice === 'auto') return undefined;
    throw new AppError('invalid_value', "'tool_choice' needs 'tools'. Send both, or leave both out.", {
      param: 'tool_choice',
    });
  }
  if (choice === 'none') return undefined;
  const definitions = tools.map(toDefinition);
  if (typeof choice === 'string') return { definitions, required: choice === 'required', parallel };
  if (choice.type === 'function') {
    const { name } = choice.function;
    if (!names.has(name)) throw notOffered(['tool_choice', 'function', 'name']);
    // That call, and only that.
    return { definitions, allowed: [name], required: true, parallel: false };
  }
  const { mode, tools: references } = choice.allowed_tools;
  const allowed = new Set<string>();
  for (const [index, reference] of references.entries()) {
    const { name } = reference.function;
    if (!names.has(name))
      throw notOffered(['tool_choice', 'allowed_tools', 'tools', index, 'function', 'name']);
    allowed.add(name);
  }
  return { definitions, allowed: [...allowed], required: mode === 'required', parallel };
}

function collectNames(tools: readonly FunctionToolParameter[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const { name } = tool.function;
    if (names.has(name)) {
      const param = formatParameterPath(['tools', index, 'function', 'name']);
      throw new AppError('invalid_value', `'${param}' is the name of an earlier tool: each needs its own.`, {
        param,
      });
    }
    names.add(name);
  }
  return names;
}

function toDefinition({ function: tool }: FunctionToolParameter, index: number): ToolDefinition {
  const { name, description, parameters } = tool;
  return {
    name,
    ...(description && { description: description.toWellFormed() }),
    ...(parameters && {
      parameters: toArgumentsSchema(parameters, ['tools', index, 'function', 'parameters']),
    }),
  };
}

function notOffered(path: readonly PropertyKey[]): AppError {
  const param = formatParameterPath(path);
  return new AppError('invalid_value', `'${param}' must be the name of one of 'tools'.`, { param });
}
