import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { AppError, toErrorBody, type ErrorBody } from '../errors/errors.ts';
import type { Log } from '../telemetry/log.ts';
import { nextTurn } from '../timing/next-turn.ts';
import type { AppEnv } from './env.ts';
import {
  defaultConnectionLimits,
  endIdleConnections,
  headTimeoutCode,
  type ConnectionLimits,
} from './idle-connections.ts';
import { createRequestId } from './middleware/request-context.ts';

export interface HttpServerOptions {
  readonly limits?: ConnectionLimits;
  /** PEM of the certificate and its key; undefined: plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

/** A server for `app` that does not listen yet. Requests that Node's parser cannot read get the same envelope. */
export function createHttpServer(
  app: Hono<AppEnv>,
  log: Log,
  { limits = defaultConnectionLimits, tls }: HttpServerOptions = {},
): Server {
  const listener = getRequestListener(app.fetch, {
    // For HTTP/1.0, which needs no Host: balancers ask so whether the server lives. Node refuses 1.1 without one.
    hostname: 'host.invalid',
    errorHandler(error) {
      const requestId = createRequestId();
      log.debug({ requestId, err: error }, 'a request with an impossible target or host was refused');
      return Response.json(malformedBody, { status: 400, headers: { 'x-request-id': requestId } });
    },
  });
  const connectionsCheckingInterval = limits.headMs / 4;
  const server: Server =
    tls === undefined
      ? createServer({ connectionsCheckingInterval })
      : createTlsServer({ connectionsCheckingInterval, handshakeTimeout: limits.headMs, ...tls });
  endIdleConnections(server, limits, refuseSlow);
  server.on(
    'request',
    inTurns((incoming, outgoing) => void listener(incoming, outgoing)),
  );
  server.on('clientError', refuseMalformed);
  return server;
}

/** Requests that begin at once of those that come in the same turn of the event loop. */
const mostAtOnce = 8;

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Begins requests that come together one per turn of the event loop, however many they are: others are served between. */
function inTurns(begin: Listener): Listener {
  let begun = 0;
  return (incoming, outgoing) => {
    if (begun === 0) setImmediate(() => (begun = 0));
    begun += 1;
    // A probe costs nothing, and must not wait for anybody's flood.
    if (begun <= mostAtOnce || incoming.url === '/healthz') return begin(incoming, outgoing);
    void nextTurn().then(() => outgoing.destroyed || begin(incoming, outgoing));
  };
}

const malformedBody = toErrorBody(
  new AppError(
    'invalid_value',
    'This is no valid HTTP request. Check its target, its Host header and its headers.',
  ),
);

const slowBody = toErrorBody(
  new AppError('invalid_value', 'The request did not come in time, so nothing was done. Send it again.'),
);

/** The statuses that Node itself uses for errors of its parser; all others are 400. */
const parserStatuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === headTimeoutCode) return;
  if (error.code === 'ECONNRESET') socket.destroy();
  else refuse(socket, parserStatuses[error.code ?? ''] ?? '400 Bad Request', malformedBody);
}

function refuseSlow(socket: Duplex): void {
  refuse(socket, '408 Request Timeout', slowBody);
}

function refuse(socket: Duplex, status: string, errorBody: ErrorBody): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(errorBody);
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${createRequestId()}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
