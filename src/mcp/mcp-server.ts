import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Log } from '../telemetry/log.ts';
import { waitFor } from '../timing/wait-for.ts';
import { connect, type McpConnection } from './connection/connect.ts';
import { McpFailure } from './mcp-failure.ts';
import type { McpServerSpec, SettingValue } from './server-spec.ts';
import { boundTools, type McpTool } from './tool-list.ts';
import { readResult, type McpResult } from './tool-result.ts';

const firstRetryMs = 1000;
const longestRetryMs = 60_000;

export interface McpDeps {
  /** Folder of the folders that commands run in. */
  readonly workingDir: string;
  readonly readSetting: (value: SettingValue) => string | undefined;
  readonly log: Log;
}

/**
 * A server of tools, which is started or connected to when it is first needed, and again when it has ended: after a
 * second, and after twice as long each time that it fails once more. Methods throw McpFailure, or the signal's reason.
 */
export class McpServer {
  readonly spec: McpServerSpec;
  /** The names of tools that were left out of the last list, which were faulty, too large or too many. */
  leftOut: readonly string[] = [];
  readonly #deps: McpDeps;
  #connection: Promise<McpConnection> | undefined;
  #tools: Promise<readonly McpTool[]> | undefined;
  #failures = 0;
  #retryAtMs = 0;

  constructor(spec: McpServerSpec, deps: McpDeps) {
    this.spec = spec;
    this.#deps = deps;
  }

  /** The tools that may be used, in the server's order. */
  async tools(signal?: AbortSignal): Promise<readonly McpTool[]> {
    const listed = (this.#tools ??= this.#list());
    listed.catch(() => {
      if (this.#tools === listed) this.#tools = undefined;
    });
    return await waitFor(listed, { signal });
  }

  /** Calls a tool. A call is never made twice. */
  async call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<McpResult> {
    const connection = await waitFor(this.#connected(), { signal });
    try {
      return readResult(await connection.callTool(name, args, signal), this.spec.outputLimitBytes);
    } catch (error) {
      // A server that cannot be reached may have forgotten the connection.
      if (error instanceof McpFailure && error.code === undefined) this.#lose(connection);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#retryAtMs = Infinity;
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }

  async #list(): Promise<readonly McpTool[]> {
    const { tools: given, isWhole } = await (await this.#connected()).listTools();
    const { label, tools: allowed } = this.spec;
    const { tools, leftOut } = boundTools(given, allowed);
    this.leftOut = isWhole ? leftOut : [...leftOut, 'those of further pages'];
    if (this.leftOut.length > 0)
      this.#deps.log.warn(
        { server: label, tools: this.leftOut },
        'left out tools of an MCP server, faulty, too large or too many',
      );
    this.#failures = 0;
    return tools;
  }

  #connected(): Promise<McpConnection> {
    if (this.#connection !== undefined) return this.#connection;
    const waitMs = this.#retryAtMs - Date.now();
    if (waitMs > 0)
      throw new McpFailure(
        `has ended, and is started again in ${Math.ceil(waitMs / 1000)} s at the earliest`,
      );
    const workingDir = path.join(this.#deps.workingDir, this.spec.label);
    const opened = (async () => {
      mkdirSync(workingDir, { recursive: true, mode: 0o700 });
      const connection: McpConnection = await connect(this.spec, {
        ...this.#deps,
        workingDir,
        onToolsChanged: () => (this.#tools = undefined),
        onClosed: (isHostile) => this.#forget(opened, isHostile),
      });
      return connection;
    })();
    this.#connection = opened;
    opened.catch((error: unknown) => {
      this.#forget(opened);
      const err = error instanceof McpFailure ? error.cause : error;
      this.#deps.log.warn({ server: this.spec.label, err }, 'an MCP server does not start');
    });
    return opened;
  }

  #lose(connection: McpConnection): void {
    if (this.#connection !== undefined) this.#forget(this.#connection);
    void connection.close();
  }

  #forget(connection: Promise<McpConnection>, isHostile = false): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#tools = undefined;
    const delayMs = isHostile ? longestRetryMs : Math.min(longestRetryMs, firstRetryMs * 2 ** this.#failures);
    this.#failures++;
    this.#retryAtMs = Math.max(this.#retryAtMs, Date.now() + delayMs);
  }
}
