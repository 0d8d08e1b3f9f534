import { invalidValue } from '../../../errors/errors.ts';
import { toTextFunction } from '../../parameters/tools/custom-tools.ts';
import { maxTools } from '../../parameters/tools/function-fields.ts';
import { isOffered } from '../../parameters/ignored-kinds.ts';
import type { OfferedFunction } from '../../parameters/tools/tool-use.ts';
import type { Item } from '../items/items.ts';
import type { CallableTool, Tool } from './tools.ts';

/** The tool behind a name that the model calls, with the kind of its calls on the wire. */
export type CalledTool = ClientTool | ServerTool;

interface ClientTool {
  readonly kind: 'function' | 'custom' | 'tool_search';
  readonly name: string;
  readonly namespace?: string | undefined;
}

export interface ServerTool {
  readonly kind: 'mcp';
  readonly label: string;
  readonly name: string;
  readonly needsApproval: boolean;
}

/** A tool as the model sees it: a function with one name. */
export interface OfferedTool extends OfferedFunction {
  readonly called: CalledTool;
}

export const toolSearchName = 'tool_search';

/** The one name of a tool, which the model calls it by. */
export function toModelName({ name, namespace }: Pick<ClientTool, 'name' | 'namespace'>): string {
  return namespace === undefined ? name : `${namespace}__${name}`;
}

/** The tools of a request, its MCP servers and its items; a later one replaces an earlier. Throws invalid_value. */
export function toOfferedTools(
  tools: readonly Tool[],
  history: readonly Item[],
  input: readonly Item[],
  ofServers: readonly OfferedTool[] = [],
): readonly OfferedTool[] {
  const lists = [
    // Their schemas were checked when they were given.
    ...history.map((item) =>
      flattenAll(toolsOf(item), ['previous_response_id']).map((tool) => ({ ...tool, strict: false })),
    ),
    flattenAll(tools, ['tools']),
    ofServers,
    ...input.map((item, index) => flattenAll(toolsOf(item), ['input', index, 'tools'])),
  ];
  const last = new Map(lists.flatMap((list) => list.map(({ name }) => [name, list] as const)));
  const all = lists.flatMap((list) => list.filter(({ name }) => last.get(name) === list));
  if (all.length <= maxTools) return all;
  throw invalidValue(
    'tools',
    `'tools' and the items of the conversation offer ${all.length} functions together, and may offer at most ${maxTools}.`,
  );
}

/** The names by which the model can call `tools`. */
export function toolNamesIn(tools: readonly Tool[]): string[] {
  return flattenAll(tools, []).map(({ name }) => name);
}

/** The tools that `item` adds. */
function toolsOf(item: Item): readonly Tool[] {
  return item.type === 'additional_tools' || item.type === 'tool_search_output' ? item.tools : [];
}

function flattenAll(tools: readonly Tool[], path: readonly PropertyKey[]): OfferedTool[] {
  return tools.flatMap((tool, index) => flatten(tool, [...path, index]));
}

function flatten(tool: Tool, path: readonly PropertyKey[]): OfferedTool[] {
  // Those of MCP servers are listed by their servers.
  if (tool.type === 'mcp' || tool.type === 'ignored') return [];
  if (tool.type === 'tool_search') {
    const { description, parameters } = tool;
    const called = { kind: 'tool_search', name: toolSearchName } as const;
    return [{ name: toolSearchName, description, parameters, called, path }];
  }
  if (tool.type !== 'namespace') return [toOffered(tool, path)];
  const members = tool.tools.flatMap((member, index) =>
    isOffered(member) ? [toOffered(member, [...path, 'tools', index], tool.name)] : [],
  );
  // The model has no place for a text about all of them, so the first one says it.
  const [first, ...others] = members;
  if (first === undefined || !tool.description) return members;
  const description = `${tool.description}\n\n${first.description ?? ''}`.trimEnd();
  return [{ ...first, description }, ...others];
}

function toOffered(tool: CallableTool, path: readonly PropertyKey[], namespace?: string): OfferedTool {
  const called: ClientTool = {
    kind: tool.type,
    name: tool.name,
    ...(namespace !== undefined && { namespace }),
  };
  const name = toModelName(called);
  const { description } = tool;
  if (tool.type === 'function') {
    const { parameters, strict } = tool;
    return { name, description, parameters, strict, called, path };
  }
  const { format } = tool;
  const grammar =
    format.type === 'grammar' ? { syntax: format.syntax, definition: format.definition } : undefined;
  return { ...toTextFunction({ name, description, grammar, path }), called };
}
