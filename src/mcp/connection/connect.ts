import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type * as SdkTypes from '@modelcontextprotocol/sdk/types.js';
import { mostParts } from './message-parts.ts';
import { packageVersion } from '../../config/package-version.ts';
import type { Log } from '../../telemetry/log.ts';
import { McpFailure } from '../mcp-failure.ts';
import type { McpServerSpec } from '../server-spec.ts';
import { mostToolsPerServer } from '../tool-list.ts';
import { maxMessageBytes, openTransport, tooLongCode, type TransportDeps } from './transports.ts';

/** The first start of a command may have to fetch its package. */
const startTimeoutMs = 60_000;
/** Of lists of tools, of which some servers have one on each page. */
const mostPages = mostToolsPerServer;

const mostLoggedMethods = 8;

export interface ConnectionDeps extends TransportDeps {
  readonly log: Log;
  /** Called when the server says that its tools are others now. */
  readonly onToolsChanged: () => void;
  /** Called when the connection has ended, by whichever side; `isHostile`: it sent messages that nobody can bear. */
  readonly onClosed: (isHostile: boolean) => void;
}

type Sdk = typeof SdkTypes;

/** A connection to a server of tools. Its methods throw McpFailure, or the reason of their signal. */
export class McpConnection {
  readonly #client: Client;
  readonly #sdk: Sdk;
  readonly #timeoutMs: number;
  readonly #toFailure: (error: unknown) => McpFailure;

  constructor(
    client: Client,
    sdk: Sdk,
    { timeoutMs }: McpServerSpec,
    toFailure: (error: unknown) => McpFailure,
  ) {
    this.#client = client;
    this.#sdk = sdk;
    this.#timeoutMs = timeoutMs;
    this.#toFailure = toFailure;
  }

  /** The tools as the server gave them: each may be anything. `isWhole`: it had no more pages than are read. */
  async listTools(): Promise<{ readonly tools: readonly unknown[]; readonly isWhole: boolean }> {
    const tools: unknown[] = [];
    const timeout = { timeout: this.#timeoutMs };
    try {
      let cursor: string | undefined;
      for (let page = 0; page < mostPages; page++) {
        const asked = { method: 'tools/list' as const, params: cursor === undefined ? {} : { cursor } };
        // Not by the client's own method: that one compiles schemas of the server on the main thread.
        const answer = await this.#client.request(asked, this.#sdk.ResultSchema, timeout);
        const { tools: added, nextCursor } = answer;
        if (!Array.isArray(added)) throw new McpFailure('answered with something that is no list of tools');
        for (const tool of added) tools.push(tool);
        if (typeof nextCursor !== 'string') return { tools, isWhole: true };
        cursor = nextCursor;
      }
      return { tools, isWhole: false };
    } catch (error) {
      throw error instanceof McpFailure ? error : this.#toFailure(error);
    }
  }

  /** The server's answer, which may be anything. */
  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    try {
      const asked = { method: 'tools/call' as const, params: { name, arguments: args } };
      const options = { timeout: this.#timeoutMs, signal };
      return await this.#client.request(asked, this.#sdk.ResultSchema, options);
    } catch (error) {
      signal.throwIfAborted();
      throw this.#toFailure(error);
    }
  }

  async close(): Promise<void> {
    await this.#client.close().catch(() => undefined);
  }
}

/** Opens a connection. The package that speaks the protocol is loaded with the first one. Throws McpFailure. */
export async function connect(spec: McpServerSpec, deps: ConnectionDeps): Promise<McpConnection> {
  const [{ Client: SdkClient }, sdk] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const { transport, said } = await openTransport(spec.transport, deps);
  const client = new SdkClient({ name: 'hearth', version: packageVersion });
  let isTooLong = false;
  // oxlint-disable unicorn/prefer-add-event-listener -- Client and transport are no EventTargets.
  const unasked = new UnaskedMessages(() => {
    deps.log.warn({ server: spec.label }, 'ended an MCP server that sent too much that nobody asked for');
    // Its process is still read until it has ended.
    transport.onmessage = undefined;
    void client.close();
  });
  transport.onmessage = (message: object) => unasked.note(message);
  client.onerror = ({ message }) => {
    isTooLong ||= message.includes('exceeded maximum size');
    unasked.note({});
  };
  const asked = new Set<string>();
  // A server may ask for a text of the model, or for a person's answer. None gets either.
  client.fallbackRequestHandler = ({ method }) => {
    if (!asked.has(method) && asked.size < mostLoggedMethods)
      deps.log.warn({ server: spec.label, method }, 'refused what an MCP server asked for, once or more');
    asked.add(method);
    throw new sdk.McpError(sdk.ErrorCode.MethodNotFound, `hearth does not answer ${method}`);
  };
  client.setNotificationHandler(sdk.ToolListChangedNotificationSchema, deps.onToolsChanged);
  const toFailure = (error: unknown) =>
    isTooLong ? tooLong() : unasked.areTooMany ? tooMany() : failureOf(error, sdk);
  try {
    await client.connect(transport, { timeout: startTimeoutMs });
  } catch (error) {
    await client.close();
    const { message, code } = toFailure(error);
    throw new McpFailure(`does not start: it ${message}`, { code, cause: said() || error });
  }
  client.onclose = () => deps.onClosed(unasked.areTooMany);
  // oxlint-enable unicorn/prefer-add-event-listener
  return new McpConnection(client, sdk, spec, toFailure);
}

const tooLong = () =>
  new McpFailure(
    `sent more than ${maxMessageBytes / 2 ** 20} MiB, or more than ${mostParts.toLocaleString('en')} objects and lists, at once`,
  );

const tooMany = () => new McpFailure('sent too much that nobody asked for');

function failureOf(error: unknown, { McpError, ErrorCode }: Sdk): McpFailure {
  if (!(error instanceof McpError)) return new McpFailure('cannot be reached', { cause: error });
  const { code, message } = error;
  const isCode = (one: number) => code === one;
  if (isCode(tooLongCode)) return tooLong();
  if (isCode(ErrorCode.RequestTimeout)) return new McpFailure('did not answer in time', { code });
  if (isCode(ErrorCode.ConnectionClosed)) return new McpFailure('ended');
  return new McpFailure(`refused: ${message.replace(/^MCP error -?\d+: /, '')}`, { code });
}

/** Lines of a log, progress and lines that are no messages: so many at once, and so many per second after that. */
const mostUnaskedAtOnce = 10_000;
const unaskedPerSecond = 200;
/** Each request is answered, which takes memory where the server does not read the answers. */
const requestCost = 20;

/** Counts the messages of a server that answer nothing. */
class UnaskedMessages {
  readonly #onTooMany: () => void;
  #left = mostUnaskedAtOnce;
  #atMs = performance.now();
  areTooMany = false;

  constructor(onTooMany: () => void) {
    this.#onTooMany = onTooMany;
  }

  note(message: { readonly id?: unknown; readonly method?: unknown }): void {
    const isAnswer = message.id !== undefined && message.method === undefined;
    if (isAnswer || this.areTooMany) return;
    const nowMs = performance.now();
    this.#left = Math.min(mostUnaskedAtOnce, this.#left + ((nowMs - this.#atMs) / 1000) * unaskedPerSecond);
    this.#atMs = nowMs;
    this.#left -= message.id === undefined ? 1 : requestCost;
    if (this.#left >= 0) return;
    this.areTooMany = true;
    this.#onTooMany();
  }
}
