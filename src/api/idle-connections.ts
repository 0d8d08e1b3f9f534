import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** For the whole head of a request, from the moment that the connection is open or the last answer is out. */
  readonly headMs: number;
  /** Longer than clients and proxies keep an idle connection: who closes first must not be the one that is asked. */
  readonly keepAliveMs: number;
  /** A body must bring so many bytes in so long, however long it takes as a whole. */
  readonly bodyBytes: number;
  readonly bodyMs: number;
  /** How long a client may take nothing of an answer that is complete. */
  readonly unreadMs: number;
  /** Connections that have no request under way; of more the one that is idle for longest is closed. */
  readonly maxIdle: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  headMs: 15_000,
  keepAliveMs: 75_000,
  // About the slowest line that anybody still uses.
  bodyBytes: 16 * 1024,
  bodyMs: 30_000,
  unreadMs: 60_000,
  maxIdle: 1024,
};

/**
 * Ends the connections of `server` whose clients do nothing, and no other: answers may take as long as they take.
 * `refuse` tells a client that its request came too slowly, and ends its connection.
 */
export function endIdleConnections(
  server: Server,
  limits: ConnectionLimits,
  refuse: (socket: Socket) => void,
): void {
  server.keepAliveTimeout = limits.keepAliveMs;
  server.headersTimeout = limits.headMs;
  // The time for a whole request says nothing about a slow line: what its body brings does, below.
  server.requestTimeout = 0;
  boundIdle(server, limits.maxIdle);
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming;
    watchBody(incoming, limits, () => {
      if (outgoing.headersSent) socket.destroy();
      else refuse(socket);
    });
    // Node counts what the client takes as activity.
    outgoing.once('prefinish', () => outgoing.setTimeout(limits.unreadMs, () => socket.destroy()));
  });
}

/** Closes the connection that is idle for longest whenever there are more than `most`. */
function boundIdle(server: Server, most: number): void {
  /** In the order in which they became idle. */
  const idle = new Set<Socket>();
  /** Requests that are under way; of a connection that sends several at once more than one. */
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
  server.on('connection', (socket: Socket) => {
    socket.once('close', () => idle.delete(socket));
    count(socket, 0);
  });
  server.on('request', ({ socket }: IncomingMessage, outgoing: ServerResponse) => {
    count(socket, 1);
    outgoing.once('close', () => count(socket, -1));
  });
}

/** Calls `giveUp` where a body comes more slowly than `limits` say, unless it is the server that does not read. */
function watchBody(
  incoming: IncomingMessage,
  { bodyBytes, bodyMs }: ConnectionLimits,
  giveUp: () => void,
): void {
  const { socket } = incoming;
  let receivedBytes = socket.bytesRead;
  const timer = setInterval(() => {
    if (incoming.complete) return clearInterval(timer);
    const isEnough = socket.bytesRead - receivedBytes >= bodyBytes;
    const isOurs = incoming.readableLength >= incoming.readableHighWaterMark;
    receivedBytes = socket.bytesRead;
    if (!isEnough && !isOurs) giveUp();
  }, bodyMs).unref();
  const stop = (): void => clearInterval(timer);
  incoming.once('end', stop).once('close', stop);
}
