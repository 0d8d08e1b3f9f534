import type { Handler } from 'hono';
import { z } from 'zod';
import { McpFailure } from '../../../mcp/mcp-failure.ts';
import type { McpServer } from '../../../mcp/mcp-server.ts';
import { needsApproval } from '../../../mcp/server-spec.ts';
import type { AppDeps, AppEnv } from '../../env.ts';
import { createLeaving } from '../../generation/leaving.ts';
import { components } from '../../openapi/json-schema.ts';
import type { Operation } from '../../openapi/operation.ts';

const mcpServer = z
  .strictObject({
    object: z.literal('mcp_server'),
    server_label: z.string(),
    tools: z.array(
      z.strictObject({
        name: z.string(),
        description: z.string().nullable(),
        needs_approval: z.boolean().meta({ description: 'Whatever a request says.' }),
      }),
    ),
    error: z.string().nullable().meta({ description: 'Why it cannot be used now.' }),
  })
  .register(components, { id: 'McpServer' });

export const mcpServerList = z
  .strictObject({ object: z.literal('list'), data: z.array(mcpServer) })
  .register(components, { id: 'McpServerList' });

export const listServersOperation: Operation = {
  method: 'GET',
  path: '/v1/mcp_servers',
  id: 'listMcpServers',
  tag: 'Responses',
  summary: 'List the MCP servers that the key may use',
  description: 'With their tools, which a server that does not run yet is started for.',
  access: 'user',
  responses: { 200: { description: 'All of them.', content: { 'application/json': mcpServerList } } },
};

/** GET /v1/mcp_servers: the servers that the key may use, with their tools. */
export function listServers({ mcp }: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const { signal } = createLeaving(c);
    const servers = mcp.list(c.get('principal').accountName);
    const data = await Promise.all(servers.map((server) => toWireServer(server, signal)));
    return c.json({ object: 'list', data } satisfies z.output<typeof mcpServerList>);
  };
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
