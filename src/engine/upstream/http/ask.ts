import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { errorCodeOf } from '../../../words/describe-error.ts';
import { AddressFailure } from '../failures.ts';

/** A request to an upstream. */
export interface Question {
  readonly url: string;
  /** undefined: GET. */
  readonly body?: { readonly content: string | Uint8Array; readonly type: string } | undefined;
  readonly key: string | undefined;
  /** The longest wait for the beginning of the answer. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

// Connections stay open between requests: to open one costs more than all else that hearth does here.
const options = { keepAlive: true, keepAliveMsecs: 15_000, scheduling: 'lifo' } as const;
const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };

/**
 * The beginning of the answer, whatever its status; aborting `signal` closes the connection at once. Redirects are not
 * followed. Throws AddressFailure `unreachable` or `silent`, or anything once `signal` is aborted.
 */
export async function ask(question: Question): Promise<IncomingMessage> {
  try {
    return await send(question);
  } catch (error) {
    // The server closed the connection while it was idle, so it has not seen the request. The next one is new.
    if (!(error instanceof StaleConnectionError)) throw error;
    return await send(question, true);
  }
}

class StaleConnectionError extends Error {}

function send(
  { url, body, key, timeoutMs, signal }: Question,
  isSecondTry = false,
): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const isTls = url.startsWith('https:');
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = (isTls ? httpsRequest : httpRequest)(url, {
    method: body === undefined ? 'GET' : 'POST',
    agent: !isSecondTry && (isTls ? agents.https : agents.http),
    headers: {
      accept: 'text/event-stream, application/json',
      ...(body && { 'content-type': body.type, 'content-length': Buffer.byteLength(body.content) }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
  });
  const abort = (): void => void request.destroy();
  signal.addEventListener('abort', abort, { once: true });
  let isConnected = false;
  request.once('socket', (socket) => {
    isConnected = !socket.connecting;
    if (socket.connecting) socket.once(isTls ? 'secureConnect' : 'connect', () => (isConnected = true));
  });
  const failure = (why: string, cause?: unknown): AddressFailure =>
    new AddressFailure(isConnected ? 'silent' : 'unreachable', `it does not answer (${why})`, { cause });
  const timer = setTimeout(() => {
    reject(failure(`within ${timeoutMs / 1000} s`));
    request.destroy();
  }, timeoutMs);
  request.once('close', () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  });
  request.once('response', (response) => {
    clearTimeout(timer);
    resolve(response);
  });
  // Errors that come later are those of the response, which its reader sees.
  request.on('error', (cause) => {
    const code = errorCodeOf(cause) ?? 'unknown reason';
    const isStale = request.reusedSocket && !isSecondTry && (code === 'ECONNRESET' || code === 'EPIPE');
    reject(isStale && !signal.aborted ? new StaleConnectionError() : failure(code, cause));
  });
  request.setNoDelay(true);
  request.end(body?.content);
  return promise;
}
