import { McpServer, type McpDeps } from './mcp-server.ts';
import type { McpServerSpec } from './server-spec.ts';

/** The servers of tools that the operator configured. */
export class McpServers {
  readonly #servers: readonly McpServer[];

  constructor(specs: readonly McpServerSpec[], deps: McpDeps) {
    this.#servers = specs.map((spec) => new McpServer(spec, deps));
  }

  /** Those that keys of the account of this name may use; without one: all. */
  list(accountName?: string): readonly McpServer[] {
    return this.#servers.filter(
      ({ spec: { accounts } }) =>
        accountName === undefined || accounts === 'all' || accounts.includes(accountName),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }
}
