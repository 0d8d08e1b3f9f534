import { AppError } from '../../../errors/errors.ts';
import type { ToolUse } from '../../../engine/types.ts';
import { notOffered, toToolUse } from '../../parameters/tools/tool-use.ts';
import type { ToolChoice, ToolPaths } from '../../parameters/tools/tool-use.ts';
import type { ResponseParameters } from '../schema.ts';
import type { OfferedTool } from './offered-tools.ts';
import type { ToolChoiceParameter } from './tools.ts';

/** How the model may use `offered`. Throws invalid_value if tools are chosen that are not offered. */
export function toResponseToolUse(
  offered: readonly OfferedTool[],
  { tool_choice: choice = 'auto', parallel_tool_calls: parallel = true }: ResponseParameters,
): ToolUse | undefined {
  const { choice: chosen, indices } = toChoice(choice, offered);
  const paths: ToolPaths = {
    function: (index) => offered[index]?.path ?? ['tools'],
    parameters: 'parameters',
    chosenName: ['tool_choice', 'name'],
    allowedName: (index) => ['tool_choice', 'tools', indices[index] ?? index, 'name'],
  };
  return toToolUse(offered, chosen, parallel, paths);
}

/** The choice by the names that the model sees, and for each allowed name its index in the request's list. */
function toChoice(
  choice: ToolChoiceParameter,
  offered: readonly OfferedTool[],
): { choice: ToolChoice; indices: readonly number[] } {
  if (typeof choice === 'string') return { choice, indices: [] };
  if (choice.type !== 'allowed_tools') {
    const names = namesOf(choice, offered, ['tool_choice', 'name']);
    if (choice.type !== 'mcp') return { choice: { kind: 'function', name: names[0] }, indices: [] };
    return { choice: { kind: 'allowed', names, required: true }, indices: [] };
  }
  const { mode, tools } = choice;
  if (mode === 'none') return { choice: mode, indices: [] };
  const allowed = tools.flatMap((tool, index) => {
    if (tool.type === 'ignored') return [];
    const names = namesOf(tool, offered, ['tool_choice', 'tools', index, 'name']);
    return names.map((name) => ({ name, index }));
  });
  if (allowed.length === 0) return { choice: noneAllowed(mode), indices: [] };
  return {
    choice: { kind: 'allowed', names: allowed.map(({ name }) => name), required: mode === 'required' },
    indices: allowed.map(({ index }) => index),
  };
}

type NamedTool =
  | { readonly type: 'function' | 'custom' | 'namespace'; readonly name: string }
  | { readonly type: 'mcp'; readonly server_label: string; readonly name?: string | undefined };

/**
 * The names of what `tool` stands for: the tool itself, one of that name in a namespace, or all of a
 * namespace or of an MCP server. Throws
 * invalid_value if that is not offered.
 */
function namesOf(
  tool: NamedTool,
  offered: readonly OfferedTool[],
  path: readonly PropertyKey[],
): [string, ...string[]] {
  if (tool.type === 'mcp') {
    const [first, ...others] = offered.flatMap(({ name, called }) => {
      const isMeant = called.kind === 'mcp' && called.label === tool.server_label;
      return isMeant && called.name === (tool.name ?? called.name) ? name : [];
    });
    if (first === undefined) throw notOffered(path);
    return [first, ...others];
  }
  const namespaceOf = ({ called }: OfferedTool) => (called.kind === 'mcp' ? undefined : called.namespace);
  const meant = offered.filter((one) =>
    tool.type === 'namespace'
      ? namespaceOf(one) === tool.name
      : one.called.kind === tool.type && one.called.name === tool.name,
  );
  const first = meant.find((one) => namespaceOf(one) === undefined) ?? meant[0];
  if (first === undefined) throw notOffered(path);
  return tool.type === 'namespace' ? [first.name, ...meant.slice(1).map(({ name }) => name)] : [first.name];
}

function noneAllowed(mode: 'auto' | 'required'): ToolChoice {
  if (mode === 'auto') return 'none';
  throw new AppError(
    'unsupported_value',
    "'tool_choice.tools' has only tools that this server would have to run, and it has none of them. Name one of your functions.",
    { param: 'tool_choice.tools' },
  );
}
