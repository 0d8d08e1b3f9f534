import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { programBeside } from '../../engine/processes/watch-child.ts';
import { McpFailure } from '../mcp-failure.ts';
import type { McpTransport, SettingValue } from '../server-spec.ts';
import { MessageParts } from './message-parts.ts';

export const maxMessageBytes = 8 * 2 ** 20;
/** In the words of the SDK's own bound for commands. */
const tooLong = 'the body exceeded maximum size';
/** Of the error that a call gets whose answer over HTTP is too long; no server has it. */
export const tooLongCode = -32_768;
const mostSaidChars = 500;

export interface TransportDeps {
  /** The folder that commands run in, which exists. */
  readonly workingDir: string;
  /** The value of a setting; undefined where its variable or file is not there. */
  readonly readSetting: (value: SettingValue) => string | undefined;
}

/** The transport of the SDK's client, and the last lines that a command has written to its standard error. */
interface OpenTransport {
  readonly transport: Transport;
  readonly said: () => string;
}

/** A transport that has not begun. Throws McpFailure where a value of its settings is missing. */
export async function openTransport(given: McpTransport, deps: TransportDeps): Promise<OpenTransport> {
  return given.kind === 'http' ? await openHttp(given, deps) : await openCommand(given, deps);
}

async function openHttp(
  { url, headers }: Extract<McpTransport, { kind: 'http' }>,
  deps: TransportDeps,
): Promise<OpenTransport> {
  const { StreamableHTTPClientTransport } =
    await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    // The package tells the end of the answer to nobody, so its call would wait until its time is over.
    fetch: boundedFetch(maxMessageBytes, (id) =>
      transport.onmessage?.({ jsonrpc: '2.0', id, error: { code: tooLongCode, message: 'too long' } }),
    ),
    requestInit: { headers: readAll(headers, deps) },
  });
  return { transport, said: () => '' };
}

/**
 * As `fetch`, but the body of a response ends with an error after `maxBytes`, and at a message of too many parts;
 * `onTooLong` hears which message was answered so.
 */
function boundedFetch(maxBytes: number, onTooLong: (id: string | number) => void) {
  return async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    let bytes = 0;
    const isStream = response.headers.get('content-type')?.includes('event-stream');
    // An empty line ends an event.
    const parts = new MessageParts(isStream === true ? 2 : Infinity);
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes <= maxBytes && !parts.isTooMuchWith(chunk)) return controller.enqueue(chunk);
        const id = idOf(init?.body);
        if (id !== undefined) onTooLong(id);
        controller.error(new RangeError('the body is too long'));
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counting), { status, statusText, headers });
  };
}

/** The id of the message that was sent as `body`; undefined where it asks for no answer. */
function idOf(body: RequestInit['body']): string | number | undefined {
  return typeof body === 'string' ? (JSON.parse(body) as { id?: string | number }).id : undefined;
}

/** The command gets the variables of its settings, those without which no program runs, and no others. */
async function openCommand(
  given: Extract<McpTransport, { kind: 'command' }>,
  deps: TransportDeps,
): Promise<OpenTransport> {
  const [{ StdioClientTransport }, { ReadBuffer }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/stdio.js'),
    import('@modelcontextprotocol/sdk/shared/stdio.js'),
  ]);
  const keeper = [process.execPath, programBeside(import.meta.url, 'keeper-program')];
  // Windows has no process groups: there the command is started without its keeper.
  const words = [...(process.platform === 'win32' ? [] : keeper), given.command, ...given.args];
  const [command = '', ...args] = words;
  const transport = new StdioClientTransport({
    command,
    args,
    env: readAll(given.env, deps),
    cwd: deps.workingDir,
    stderr: 'pipe',
  });
  const parts = new MessageParts(1);
  class BoundedBuffer extends ReadBuffer {
    override append(chunk: Buffer): void {
      if (parts.isTooMuchWith(chunk)) throw new RangeError(tooLong);
      super.append(chunk);
    }
  }
  // The package lets nobody look at a message before it is parsed.
  Reflect.set(transport, '_readBuffer', new BoundedBuffer({ maxBufferSize: maxMessageBytes }));
  let said = '';
  // It may be about calls, so it is kept for a start that fails and goes nowhere else.
  transport.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-mostSaidChars);
  });
  return { transport, said: () => said.trim() };
}

function readAll(
  values: Readonly<Record<string, SettingValue>>,
  { readSetting }: TransportDeps,
): Record<string, string> {
  const entries = Object.entries(values).map(([name, value]): [string, string] => {
    const text = readSetting(value);
    if (text === undefined) throw new McpFailure(`does not start: its setting ${name} has no value`);
    return [name, text];
  });
  return Object.fromEntries(entries);
}
