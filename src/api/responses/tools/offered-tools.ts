import { AppError } from '../../../errors/errors.ts';
import { toTextFunction } from '../../parameters/tools/custom-tools.ts';
import { maxTools } from '../../parameters/tools/function-fields.ts';
import { isOffered } from '../../parameters/tools/ignored-tools.ts';
import type { IgnoredTool } from '../../parameters/tools/ignored-tools.ts';
import type { OfferedFunction } from '../../parameters/tools/tool-use.ts';
import type { Item } from '../items/item-schema.ts';
import type { ResponseParameters } from '../schema.ts';
import type { CallableParameter, ToolParameter } from './tool-schema.ts';
import type { WireTool } from './wire-tools.ts';

/** What a call of a tool is on the wire. */
export interface CalledTool {
  readonly kind: 'function' | 'custom' | 'tool_search';
  readonly name: string;
  readonly namespace?: string;
}

/** A tool as the model sees it: a function with one name. */
export interface OfferedTool extends OfferedFunction {
  readonly called: CalledTool;
  /** Where it is in the request. */
  readonly path: readonly PropertyKey[];
}

export const toolSearchName = 'tool_search';

/** The one name of a tool, which the model calls it by. */
export function toModelName({ name, namespace }: Pick<CalledTool, 'name' | 'namespace'>): string {
  return namespace === undefined ? name : `${namespace}__${name}`;
}

/**
 * The tools that a request offers: those of its parameter `tools`, and those that items of the conversation add to them.
 * A tool that comes again later replaces the earlier one. Throws invalid_value for too many of them.
 */
export function toOfferedTools(
  { tools = [], input: given }: Pick<ResponseParameters, 'tools' | 'input'>,
  history: readonly Item[],
  input: readonly Item[],
): readonly OfferedTool[] {
  const lists = [
    ...history.map((item) => flattenAll(toolsOf(item), ['previous_response_id'])),
    flattenAll(tools, ['tools']),
    ...input.map((item, index) => {
      // The request's own list has the indices that errors name, those of ignored tools included.
      const own = typeof given === 'string' ? undefined : given[index];
      const added = own !== undefined && 'tools' in own ? own.tools : toolsOf(item);
      return flattenAll(added, ['input', index, 'tools']);
    }),
  ];
  const last = new Map(lists.flatMap((list) => list.map(({ name }) => [name, list] as const)));
  const all = lists.flatMap((list) => list.filter(({ name }) => last.get(name) === list));
  if (all.length <= maxTools) return all;
  throw new AppError(
    'invalid_value',
    `'tools' and the items of the conversation offer ${all.length} functions together, and may offer at most ${maxTools}.`,
    { param: 'tools' },
  );
}

/** The names by which the model can call `tools`. */
export function toolNamesIn(tools: readonly WireTool[]): string[] {
  return flattenAll(tools as readonly ToolParameter[], []).map(({ name }) => name);
}

/** The tools that `item` adds. Stored ones have the form of parameters as well. */
function toolsOf(item: Item): readonly ToolParameter[] {
  return 'tools' in item ? (item.tools as readonly ToolParameter[]) : [];
}

function flattenAll(tools: readonly ToolParameter[], path: readonly PropertyKey[]): OfferedTool[] {
  return tools.flatMap((tool, index) => flatten(tool, [...path, index]));
}

function flatten(tool: ToolParameter, path: readonly PropertyKey[]): OfferedTool[] {
  switch (tool.type) {
    case 'function':
    case 'custom':
      return [toOffered(tool, path)];
    case 'tool_search': {
      const { description, parameters } = tool;
      const called = { kind: 'tool_search', name: toolSearchName } as const;
      return [{ name: toolSearchName, description, parameters, called, path }];
    }
    case 'namespace': {
      const members = tool.tools.flatMap((member, index) =>
        isOffered(member) ? [toOffered(member, [...path, 'tools', index], tool.name)] : [],
      );
      // The model has no place for what is said about all of them, so the first one says it.
      const [first, ...others] = members;
      if (first === undefined || !tool.description) return members;
      const description = `${tool.description}\n\n${first.description ?? ''}`.trimEnd();
      return [{ ...first, description }, ...others];
    }
    case 'ignored':
      return [];
    default:
      return tool satisfies never;
  }
}

function toOffered(
  tool: Exclude<CallableParameter, IgnoredTool>,
  path: readonly PropertyKey[],
  namespace?: string,
): OfferedTool {
  const called = { kind: tool.type, name: tool.name, ...(namespace !== undefined && { namespace }) };
  const name = toModelName(called);
  const { description } = tool;
  if (tool.type === 'function') return { name, description, parameters: tool.parameters, called, path };
  const { format } = tool;
  const grammar =
    format?.type === 'grammar' ? { syntax: format.syntax, definition: format.definition } : undefined;
  return { ...toTextFunction({ name, description, grammar }), called, path };
}
