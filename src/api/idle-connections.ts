import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Of the error that Node has for a head that did not come in time. */
export const headTimeoutCode = 'ERR_HTTP_REQUEST_TIMEOUT';

export interface ConnectionLimits {
  /** Time for the whole head of a request, from the opening of the connection or the end of the previous answer. */
  readonly headMs: number;
  /** How long an idle connection stays open: longer than clients and proxies wait, or it could close on a request. */
  readonly keepAliveMs: number;
  /** A body must bring at least `bodyBytes` in every `bodyMs`; its total time has no limit. */
  readonly bodyBytes: number;
  readonly bodyMs: number;
  /** How long a client may read nothing while the rest of a complete answer waits for it. */
  readonly unreadMs: number;
  /** Most connections without a running request. If there are more, the longest idle one is closed. */
  readonly maxIdle: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  headMs: 15_000,
  keepAliveMs: 75_000,
  // About the speed of the slowest network connection still in use.
  bodyBytes: 16 * 1024,
  bodyMs: 30_000,
  unreadMs: 60_000,
  maxIdle: 1024,
};

/**
 * Ends connections whose clients neither send nor read. `refuse` tells a client that its request did not come in time.
 * Timers run before sockets are read: after a time in which the server itself stood still, it first reads the bytes
 * that have come.
 */
export function endIdleConnections(
  server: Server,
  limits: ConnectionLimits,
  refuse: (socket: Duplex) => void,
): void {
  server.keepAliveTimeout = limits.keepAliveMs;
  server.headersTimeout = limits.headMs;
  // A limit for the whole request would hit long uploads on slow lines. `watchBody` limits the rate instead.
  server.requestTimeout = 0;
  boundIdle(server, limits.maxIdle);
  boundHeads(server, refuse);
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming;
    watchBody(incoming, limits, () => {
      if (outgoing.headersSent) socket.destroy();
      else refuse(socket);
    });
    // Node restarts this timeout whenever the client reads something.
    outgoing.once('prefinish', () => outgoing.setTimeout(limits.unreadMs, () => socket.destroy()));
  });
}

/** Refuses requests of whose heads Node says that they came too slowly, unless one begins in the same turn. */
function boundHeads(server: Server, refuse: (socket: Duplex) => void): void {
  const begun = new WeakMap<Duplex, number>();
  const countBegun = (socket: Duplex) => begun.get(socket) ?? 0;
  server.on('request', ({ socket }: IncomingMessage) => begun.set(socket, countBegun(socket) + 1));
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket: Duplex) => {
    if (code !== headTimeoutCode) return;
    const before = countBegun(socket);
    setImmediate(() => {
      if (countBegun(socket) === before) refuse(socket);
    });
  });
}

/** Closes the longest idle connection whenever more than `most` are idle. */
function boundIdle(server: Server, most: number): void {
  /** Longest idle first. */
  const idle = new Set<Socket>();
  /** Running requests; more than one for a connection that sends several at once. */
  const underWay = new WeakMap<Socket, number>();
  const count = (socket: Socket, change: number): void => {
    const requests = (underWay.get(socket) ?? 0) + change;
    underWay.set(socket, requests);
    idle.delete(socket);
    if (requests > 0 || socket.destroyed) return;
    idle.add(socket);
    const [oldest] = idle;
    if (idle.size > most) oldest?.destroy();
  };
  // With TLS the requests belong to the socket above the connection.
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', (socket: Socket) => {
    socket.once('close', () => idle.delete(socket));
    count(socket, 0);
  });
  server.on('request', ({ socket }: IncomingMessage, outgoing: ServerResponse) => {
    count(socket, 1);
    outgoing.once('close', () => count(socket, -1));
  });
}

/** Calls `giveUp` if a body comes more slowly than `limits` allow, unless the server itself reads too slowly. */
function watchBody(
  incoming: IncomingMessage,
  { bodyBytes, bodyMs }: ConnectionLimits,
  giveUp: () => void,
): void {
  const { socket } = incoming;
  let receivedBytes = socket.bytesRead;
  const check = (): void => {
    if (incoming.complete || incoming.destroyed) return clearInterval(timer);
    const isEnough = socket.bytesRead - receivedBytes >= bodyBytes;
    const isOurs = incoming.readableLength >= incoming.readableHighWaterMark;
    receivedBytes = socket.bytesRead;
    if (!isEnough && !isOurs) giveUp();
  };
  const timer = setInterval(() => setImmediate(check), bodyMs).unref();
  const stop = (): void => clearInterval(timer);
  incoming.once('end', stop).once('close', stop);
}
