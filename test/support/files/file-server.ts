import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A local HTTP server whose paths behave as each test wants, and that remembers its requests. */
export class FileServer {
  readonly handlers = new Map<string, Handler>();
  readonly requests: { readonly url: string; readonly headers: IncomingMessage['headers'] }[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Listens on a free port of 127.0.0.1. */
  static async open(): Promise<FileServer> {
    const server = createServer((request, response) => {
      const url = request.url ?? '';
      fileServer.requests.push({ url, headers: request.headers });
      const path = new URL(url, 'http://host').pathname;
      const handler = fileServer.handlers.get(path);
      if (handler === undefined) response.writeHead(404).end();
      else handler(request, response);
    });
    const fileServer = new FileServer(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return fileServer;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export interface ServeOptions {
  /** The first `cuts` responses break off after this number of bytes; default of `cuts`: all responses do. */
  readonly cutAfterBytes?: number;
  readonly cuts?: number;
  readonly etag?: () => string | undefined;
  readonly ranges?: boolean;
}

/** A handler that serves `bytes` as ordinary file servers do, Range and If-Range included. */
export function serveBytes(bytes: () => Buffer, options: ServeOptions = {}): Handler {
  let cutsLeft = options.cuts ?? (options.cutAfterBytes === undefined ? 0 : Number.POSITIVE_INFINITY);
  return (request, response) => {
    const body = bytes();
    const etag = (options.etag ?? (() => '"v1"'))();
    const { range, 'if-range': ifRange } = request.headers;
    const isRange =
      options.ranges !== false && range !== undefined && (ifRange === undefined || ifRange === etag);
    const from = isRange ? Number(/^bytes=(\d+)-$/.exec(range)?.[1]) : 0;
    if (from >= body.length && isRange) {
      response.writeHead(416, { 'content-range': `bytes */${body.length}` }).end();
      return;
    }
    response.writeHead(isRange ? 206 : 200, {
      'content-length': body.length - from,
      ...(etag === undefined ? {} : { etag }),
      ...(isRange ? { 'content-range': `bytes ${from}-${body.length - 1}/${body.length}` } : {}),
    });
    const piece = body.subarray(from);
    if (cutsLeft > 0 && options.cutAfterBytes !== undefined && piece.length > options.cutAfterBytes) {
      cutsLeft--;
      // Bytes that the client has not read by then are lost to it, so that it would have less to go on from.
      response.write(piece.subarray(0, options.cutAfterBytes), () =>
        setTimeout(() => response.destroy(), 150),
      );
    } else response.end(piece);
  };
}
