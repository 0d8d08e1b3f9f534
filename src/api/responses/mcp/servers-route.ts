import { z } from 'zod';
import { McpFailure } from '../../../mcp/mcp-failure.ts';
import type { McpServer } from '../../../mcp/mcp-server.ts';
import { needsApproval } from '../../../mcp/server-spec.ts';
import type { AppDeps, AppContext } from '../../env.ts';
import { createLeaving } from '../../generation/leaving.ts';
import { namedObject } from '../../openapi/json-schema.ts';
import { json, operationsOf } from '../../openapi/operation.ts';

const mcpServer = namedObject('McpServer', {
  object: z.literal('mcp_server'),
  server_label: z.string(),
  tools: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string().nullable(),
      needs_approval: z.boolean().describe('Whatever a request says.'),
    }),
  ),
  error: z.string().nullable().describe('Why it cannot be used now.'),
});

export const mcpServerList = namedObject('McpServerList', {
  object: z.literal('list'),
  data: z.array(mcpServer),
});

export const serverOperations = operationsOf(['Responses', 'user'], {
  listMcpServers: {
    route: 'GET /v1/mcp_servers',
    summary: 'List the MCP servers that the key may use',
    description: 'With their tools, which a server that does not run yet is started for.',
    answer: json(mcpServerList, 'All of them.'),
  },
});

/** GET /v1/mcp_servers: the servers that the key may use, with their tools. */
export async function listServers(c: AppContext, { mcp }: AppDeps): Promise<Response> {
  const { signal } = createLeaving(c);
  const servers = mcp.list(c.get('principal').accountName);
  const data = await Promise.all(servers.map((server) => toWireServer(server, signal)));
  return c.json({ object: 'list', data } satisfies z.output<typeof mcpServerList>);
}

async function toWireServer(server: McpServer, signal: AbortSignal): Promise<z.output<typeof mcpServer>> {
  const head = { object: 'mcp_server', server_label: server.spec.label } as const;
  try {
    const tools = await server.tools(signal);
    return {
      ...head,
      tools: tools.map(({ name, description }) => ({
        name,
        description: description === '' ? null : description,
        needs_approval: needsApproval(server.spec, name),
      })),
      error: null,
    };
  } catch (error) {
    if (!(error instanceof McpFailure)) throw error;
    return { ...head, tools: [], error: `The server ${error.message}.` };
  }
}
