import type { Principal } from '../../../accounts/types.ts';
import { AppError } from '../../../errors/errors.ts';
import { McpFailure } from '../../../mcp/mcp-failure.ts';
import type { McpServer } from '../../../mcp/mcp-server.ts';
import type { McpServers } from '../../../mcp/mcp-servers.ts';
import { needsApproval } from '../../../mcp/server-spec.ts';
import type { McpTool } from '../../../mcp/tool-list.ts';
import { createWireId } from '../../generation/wire/wire-id.ts';
import { checkScope } from '../../middleware/scopes.ts';
import { invalid } from '../../request/validate.ts';
import type { OutputItem } from '../items/items.ts';
import type { OfferedTool } from '../tools/offered-tools.ts';
import type { Tool } from '../tools/tools.ts';
import { serverToolName } from './call-messages.ts';
import { foreignFields, type McpToolParameter } from './mcp-items.ts';

interface NamedServer {
  readonly tool: McpToolParameter;
  readonly server: McpServer;
  /** Where it stands in the request's tools. */
  readonly index: number;
}

type ToolList = Extract<OutputItem, { type: 'mcp_list_tools' }>;

export interface OfferedServers {
  readonly tools: readonly OfferedTool[];
  /** The answer of each, in the request's order; where it failed, why. */
  readonly lists: readonly ToolList[];
  find(label: string): McpServer | undefined;
}

/** The tools of the servers that a request names, as far as it wants them. Throws AppError, or the signal's reason. */
export async function offerServers(
  servers: McpServers,
  principal: Principal,
  tools: readonly Tool[],
  signal: AbortSignal,
): Promise<OfferedServers> {
  if (tools.some(({ type }) => type === 'mcp')) checkScope(principal, 'tools', 'MCP servers');
  const named = namedServers(servers.list(principal.accountName), tools);
  const offers = await Promise.all(named.map((one) => offer(one, signal)));
  return {
    tools: offers.flatMap((one) => one.tools),
    lists: offers.map(({ list }) => list),
    find: (label) => named.find(({ tool }) => tool.server_label === label)?.server,
  };
}

function namedServers(usable: readonly McpServer[], tools: readonly Tool[]): readonly NamedServer[] {
  const named: NamedServer[] = [];
  for (const [index, tool] of tools.entries()) {
    if (tool.type !== 'mcp') continue;
    const path = ['tools', index, 'server_label'];
    const labels = usable.map(({ spec }) => `"${spec.label}"`).join(', ');
    if (labels === '')
      throw new AppError('insufficient_permissions', 'This key may use no MCP servers.', {
        param: `tools[${index}]`,
      });
    const foreign = foreignFields.find((field) => (tool[field] ?? null) !== null);
    if (foreign !== undefined)
      throw invalid(
        ['tools', index, foreign],
        `is not taken: only servers that the operator has set up are asked. This key may use the server_label ${labels}`,
        'unsupported_value',
      );
    const server = usable.find(({ spec }) => spec.label === tool.server_label);
    if (server === undefined) throw invalid(path, `must be one that this key may use: ${labels}`);
    if (named.some((one) => one.server === server)) throw invalid(path, 'is the label of an earlier tool');
    named.push({ tool, server, index });
  }
  return named;
}

async function offer(
  named: NamedServer,
  signal: AbortSignal,
): Promise<{ readonly tools: readonly OfferedTool[]; readonly list: ToolList }> {
  const { tool, server, index } = named;
  const head = {
    type: 'mcp_list_tools',
    id: createWireId('mcpl'),
    server_label: tool.server_label,
  } as const;
  try {
    const all = await server.tools(signal);
    const unknown = tool.allowed_tools?.find((name) => !all.some((one) => one.name === name));
    if (unknown !== undefined)
      throw invalid(
        ['tools', index, 'allowed_tools'],
        `names "${unknown}", which is no tool of this server that may be used`,
      );
    const wanted = all.filter(({ name }) => tool.allowed_tools?.includes(name) ?? true);
    return {
      tools: wanted.map((one, at) => toOffered(one, named, at === 0)),
      list: { ...head, tools: wanted.map(toListed), error: null },
    };
  } catch (error) {
    if (!(error instanceof McpFailure)) throw error;
    return { tools: [], list: { ...head, tools: [], error: `The server ${error.message}.` } };
  }
}

function toOffered(one: McpTool, { tool, server, index }: NamedServer, isFirst: boolean): OfferedTool {
  const { name, description, inputSchema } = one;
  const { server_label: label, server_description: about, require_approval: required } = tool;
  const isFree =
    required === 'never' || (typeof required === 'object' && required.never.tool_names.includes(name));
  return {
    name: serverToolName(label, name),
    // The model has no place for a text about all of them, so the first one says it.
    description: isFirst && about ? `${about}\n\n${description}`.trimEnd() : description,
    parameters: inputSchema,
    called: { kind: 'mcp', label, name, needsApproval: !isFree || needsApproval(server.spec, name) },
    path: ['tools', index],
  };
}

const toListed = ({ name, description, inputSchema }: McpTool) => ({
  name,
  description: description === '' ? null : description,
  input_schema: inputSchema,
  annotations: null,
});
