import path from 'node:path';
import type { Config } from '../config/types.ts';
import { readSetting } from '../config/values/secret-source.ts';
import { McpServers } from '../mcp/mcp-servers.ts';
import type { Log } from '../telemetry/log.ts';

/** The configured servers of tools. None is started before it is needed. */
export function openMcpServers({ mcp, dataDir }: Config, log: Log): McpServers {
  return new McpServers(mcp, {
    workingDir: path.join(dataDir, 'mcp'),
    readSetting: (value) => readSetting(value, process.env),
    log,
  });
}
