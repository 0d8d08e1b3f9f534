import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the server got. */
export interface UpstreamRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  /** Resolves when hearth has closed the connection, or the answer has ended. */
  readonly closed: Promise<void>;
}

/** The server's reaction to a request; it must not end. */
export type Behaviour = (response: ServerResponse, request: UpstreamRequest) => void | Promise<void>;

/** A server that behaves as no real one does. */
export interface HostileUpstream extends AsyncDisposable {
  /** Ends in /v1. */
  readonly url: string;
  /** Its requests for `model`, probes not included. */
  requestsFor(model: string): readonly UpstreamRequest[];
}

/**
 * Starts a server whose behaviour the model of the request chooses; that of `<model> counts` counts its tokens. By
 * default it lists no model.
 */
export async function startHostileUpstream(
  behaviours: Readonly<Record<string, Behaviour>>,
  list: object = { object: 'list', data: [] },
): Promise<HostileUpstream> {
  const requests: UpstreamRequest[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list));
        return;
      }
      const body = JSON.parse(Buffer.concat(pieces).toString()) as UpstreamRequest['body'];
      const model = String(body['model']);
      const closed = new Promise<void>((resolve) => {
        response.once('close', resolve);
      });
      const asked = { path: request.url ?? '', headers: request.headers, body, closed };
      requests.push(asked);
      const behave = behaviours[asked.path === '/tokenize' ? `${model} counts` : model];
      if (behave === undefined) response.writeHead(404).end();
      else void behave(response, asked);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requestsFor: (model) =>
      requests.filter(({ body, path }) => body['model'] === model && path !== '/tokenize'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** Begins a stream of events. */
export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

/** Writes a chunk of a chat completion. */
export function writeChunk(response: ServerResponse, delta: object, rest: object = {}): void {
  const choice = { index: 0, delta, finish_reason: null, ...rest };
  response.write(`data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [choice] })}\n\n`);
}

/** Writes the rest of a stream: why it ended, its usage where there is one, and the end. */
export function endStream(response: ServerResponse, usage?: object, finish = 'stop'): void {
  writeChunk(response, {}, { finish_reason: finish });
  if (usage !== undefined) response.write(`data: ${JSON.stringify({ choices: [], usage })}\n\n`);
  response.end('data: [DONE]\n\n');
}

/** Answers with a status and a JSON document. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: object = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
