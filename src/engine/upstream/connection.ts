import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { Address } from './addresses/address.ts';
import { AddressFailure } from './failures.ts';
import { decoded, type UpstreamResponse } from './http/decoded.ts';
import { readWhole } from './http/read-body.ts';
import type { UpstreamSpec } from './upstream-spec.ts';
import { readListedFacts } from './wire/server-kind.ts';
import { mostPartsOfLists, parseFields, type Fields } from './wire/json.ts';
import { readError } from './wire/refusal.ts';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { errorCodeOf } from '../../words/describe-error.ts';

const probeTimeoutMs = 3000;
const countTimeoutMs = 1000;
const mostListBytes = 2 ** 22;
/** No text has more tokens than bytes; with its comma, the number of a token has no more characters than this. */
const mostBytesPerToken = 12;
/** The list of some 200,000 tokens. A longer one would take too long to parse. */
const mostCountBytes = 2 ** 21;
/** Bytes allowed in a short answer beside the numbers that were asked for. */
const restBytes = 2 ** 12;
/** Servers without a list of models answer with one of these, and so they are there. */
const noList: ReadonlySet<number> = new Set([404, 405]);

/** The body of a request to an upstream. */
export interface Content {
  readonly content: string | Uint8Array;
  readonly type: string;
}

export const jsonContent = (fields: Fields): Content => ({
  content: JSON.stringify(fields),
  type: 'application/json',
});

/** Asks the servers of one model. */
export class Connection {
  readonly #spec: UpstreamSpec;
  /** The upstream's key; undefined: none is sent. */
  readonly key: string | undefined;

  /** Throws Error where the key is not there. */
  constructor(spec: UpstreamSpec) {
    this.#spec = spec;
    this.key = spec.apiKey?.read();
    if (spec.apiKey !== undefined && this.key === undefined)
      throw new Error(`${spec.apiKey.origin} should hold its key, but there is none`);
  }

  /** The answer with status 200. Throws RefusedError or AddressFailure, or anything once `signal` is aborted. */
  async post(address: Address, path: string, body: Content, signal: AbortSignal): Promise<UpstreamResponse> {
    const { timeoutMs } = this.#spec;
    const response = await ask({ url: address.url + path, body, key: this.key, timeoutMs, signal });
    if (response.statusCode === 200) return response;
    throw await readError(response, this.key);
  }

  /** The JSON object that an address answers with. Throws as `post` does. */
  async postForFields(
    address: Address,
    path: string,
    body: Content,
    { mostBytes, mostParts }: { readonly mostBytes: number; readonly mostParts?: number },
    signal: AbortSignal,
  ): Promise<Fields> {
    const response = await this.post(address, path, body, signal);
    return parseFields(await readWhole(response, mostBytes, this.#spec.timeoutMs), mostParts);
  }

  /** Learns from an address the facts that it tells about the model. Throws AddressFailure where it does not answer well. */
  async probe(address: Address): Promise<void> {
    const signal = new AbortController().signal;
    const response = await ask({
      url: `${address.url}/models`,
      key: this.key,
      timeoutMs: probeTimeoutMs,
      signal,
    });
    if (noList.has(response.statusCode ?? 0)) {
      response.resume();
      return;
    }
    if (response.statusCode !== 200) {
      const error = await readError(response, this.key);
      throw error instanceof AddressFailure ? error : new AddressFailure('faulty', error.message);
    }
    const list = parseFields(await readWhole(response, mostListBytes, probeTimeoutMs), mostPartsOfLists);
    Object.assign(address, readListedFacts(list, this.#spec.model));
  }

  /** The tokens of a text, as the address counts them; undefined where it cannot. Never rejects. */
  async countTokens(address: Address, text: string): Promise<number | undefined> {
    if (address.cannotCount) return undefined;
    // One body for vLLM and SGLang, which read `prompt`, and llama.cpp's server, which reads `content`.
    const body = jsonContent({
      model: this.#spec.model,
      prompt: text,
      content: text,
      add_special_tokens: false,
    });
    try {
      const response = await ask({
        url: `${address.url.replace(/\/v1$/, '')}/tokenize`,
        body,
        key: this.key,
        timeoutMs: countTimeoutMs,
        signal: AbortSignal.timeout(countTimeoutMs),
      });
      const mostBytes = Math.min(mostCountBytes, restBytes + mostBytesPerToken * Buffer.byteLength(text));
      const answer = await readWhole(response, mostBytes, countTimeoutMs);
      address.cannotCount = response.statusCode !== 200;
      if (address.cannotCount) return undefined;
      const { count, tokens } = parseFields(answer);
      const counted = Array.isArray(tokens) ? tokens.length : count;
      return Number.isSafeInteger(counted) && Number(counted) >= 0 ? Number(counted) : undefined;
    } catch {
      return undefined;
    }
  }
}

/** A request to an upstream. */
interface Question {
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
async function ask(question: Question): Promise<UpstreamResponse> {
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
): Promise<UpstreamResponse> {
  signal.throwIfAborted();
  const isTls = url.startsWith('https:');
  const { promise, resolve, reject } = Promise.withResolvers<UpstreamResponse>();
  const request = (isTls ? httpsRequest : httpRequest)(url, {
    method: body === undefined ? 'GET' : 'POST',
    agent: !isSecondTry && (isTls ? agents.https : agents.http),
    headers: {
      accept: 'text/event-stream, application/json',
      'accept-encoding': 'identity',
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
    resolve(decoded(response));
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
