import { AppError } from '../../../errors/errors.ts';
import type { ToolUse } from '../../../engine/types.ts';
import { notOffered, toToolUse, type ToolChoice } from '../../parameters/tools/tool-use.ts';
import type { ResponseParameters } from '../schema.ts';
import type { OfferedTool } from './offered-tools.ts';
import type { ToolChoiceParameter } from './tools.ts';

/** How the model may use `offered`. Throws invalid_value if tools are chosen that are not offered. */
export function toResponseToolUse(
  offered: readonly OfferedTool[],
  { tool_choice: choice = 'auto', parallel_tool_calls: parallel = true }: ResponseParameters,
): ToolUse | undefined {
  return toToolUse(offered, toChoice(choice, offered), parallel);
}

/** The choice by the names that the model sees. */
function toChoice(choice: ToolChoiceParameter, offered: readonly OfferedTool[]): ToolChoice {
  if (typeof choice === 'string') return choice;
  const chosenBy = (tool: NamedTool, path: readonly PropertyKey[]) =>
    namesOf(tool, offered, path).map((name) => ({ name, path }));
  if (choice.type !== 'allowed_tools') {
    const path = ['tool_choice', 'name'];
    if (choice.type === 'mcp') return { kind: 'allowed', chosen: chosenBy(choice, path), required: true };
    return { kind: 'function', chosen: { name: namesOf(choice, offered, path)[0], path } };
  }
  const { mode, tools } = choice;
  if (mode === 'none') return mode;
  const chosen = tools.flatMap((tool, index) =>
    tool.type === 'ignored' ? [] : chosenBy(tool, ['tool_choice', 'tools', index, 'name']),
  );
  return chosen.length === 0 ? noneAllowed(mode) : { kind: 'allowed', chosen, required: mode === 'required' };
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
