import { Agent, request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { Agent as TlsAgent, request as requestByTls } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { json, text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { errorCodeOf } from '../words/describe-error.ts';
import { TerminalKey } from '../accounts/terminal-key.ts';
import type { model } from '../api/models/operation.ts';
import type { Config } from '../config/types.ts';
import { AppError, errorTable, type ErrorBody, type ErrorCode } from '../errors/errors.ts';
import { findServer, type ServerPresence } from '../store/server-address.ts';
import { CliError } from '../errors/operator-errors.ts';
import { openAccounts, openTellingStore } from './context.ts';
import { tell } from './output.ts';

/** A model as `GET /v1/models` lists it. */
export type ListedModel = z.output<typeof model>;

/** The server cannot be reached, or went away in the middle of an answer. */
export class ServerGoneError extends CliError {}

interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Readable;
  readonly signal?: AbortSignal | undefined;
}

/** How long to wait for a server that is starting or stopping. */
const presenceTimeoutMs = 15_000;
const presencePollMs = 100;

/**
 * The API of the running server, used by the owner of its data folder. Not by `fetch`: that gives up on an answer
 * whose first byte takes more than five minutes, and sends requests to this machine through a proxy where one is set.
 */
export class ServerConnection {
  readonly baseUrl: string;
  readonly #key: TerminalKey;
  readonly #isTls: boolean;
  readonly #agent: Agent;
  readonly #onClose: () => void;
  #secret = '';
  /** Requests without a response. */
  #waiting = 0;

  constructor(baseUrl: string, key: TerminalKey, onClose: () => void) {
    this.baseUrl = baseUrl;
    this.#isTls = baseUrl.startsWith('https:');
    // The address comes from the server's own file in the data folder, and its certificate may name other hosts.
    this.#agent = this.#isTls ? new TlsAgent({ rejectUnauthorized: false }) : new Agent();
    this.#key = key;
    this.#onClose = onClose;
  }

  /** All that this server serves. Throws as `send`. */
  async models(): Promise<readonly ListedModel[]> {
    return ((await this.ask('GET', '/models')) as { data: ListedModel[] }).data;
  }

  /** The model of this id or alias. Throws as `send`, with the nearest names where there is no such model. */
  async model(name: string): Promise<ListedModel> {
    return (await this.ask('GET', `/models/${encodeURIComponent(name)}`)) as ListedModel;
  }

  /** The JSON that a route answers to a JSON body, or to none. Throws as `send`. */
  async ask(method: Call['method'], path: string, body?: object, signal?: AbortSignal): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    return await json(await this.send(path, { method, ...sent, signal }));
  }

  /** The response with status 200. Throws the server's AppError, ServerGoneError, or the signal's reason. */
  async send(path: string, { method, headers, body, signal }: Call): Promise<IncomingMessage> {
    const secret = this.#secretOfNext();
    this.#waiting++;
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      // Ollama's routes are not below /v1.
      const url = path.startsWith('/api/') ? new URL(path, this.baseUrl).href : this.baseUrl + path;
      const outgoing = (this.#isTls ? requestByTls : request)(url, {
        method,
        agent: this.#agent,
        headers: { ...headers, authorization: `Bearer ${secret}` },
        ...(signal && { signal }),
      });
      outgoing.once('response', resolve);
      outgoing.on('error', (cause) => reject(signal?.aborted === true ? cause : this.gone(cause)));
      // A refusal may come before the whole body is sent; then the response counts, not the broken upload.
      if (body === undefined || typeof body === 'string') outgoing.end(body);
      else pipeline(body, outgoing).catch(reject);
    });
    const response = await answered.finally(() => this.#waiting--);
    if (response.statusCode === 200) return response;
    throw toError(response, await text(response));
  }

  /** A new one ends the last, so those who ask while others wait for an answer take theirs. */
  #secretOfNext(): string {
    if (this.#waiting === 0) this.#secret = this.#key.renew();
    else this.#key.extend();
    return this.#secret;
  }

  gone(cause?: unknown): ServerGoneError {
    const code = errorCodeOf(cause);
    const why = code === undefined ? '' : ` (${code})`;
    return new ServerGoneError(`the server at ${this.baseUrl} does not answer${why}`);
  }

  close(): void {
    this.#agent.destroy();
    this.#key.release();
    this.#onClose();
  }
}

function toError({ statusCode, headers }: IncomingMessage, body: string): Error {
  let error: Partial<ErrorBody['error']> | string | undefined;
  try {
    error = (JSON.parse(body) as { error?: typeof error }).error;
  } catch {
    // Not an error of hearth: handled below.
  }
  // As Ollama's routes have it.
  if (typeof error === 'string') return new CliError(error);
  if (error?.message === undefined) return new CliError(`the server answered with status ${statusCode}`);
  return toAppError(error, Number(headers['retry-after']));
}

/** The error of an envelope that the server sent. */
export function toAppError(
  { code, message = 'the server failed' }: Partial<ErrorBody['error']>,
  retryAfterSeconds = Number.NaN,
): Error {
  if (code === undefined || !Object.hasOwn(errorTable, code)) return new CliError(message);
  return new AppError(code satisfies ErrorCode, message, {
    ...(Number.isInteger(retryAfterSeconds) && { retryAfterSeconds }),
  });
}

/** Whether a server runs on this database, and where; waits for one that is just starting or stopping. */
export async function awaitServer(databaseFile: string): Promise<ServerPresence> {
  const deadlineMs = performance.now() + presenceTimeoutMs;
  let presence = findServer(databaseFile);
  if (presence.state === 'unreachable') tell('waits for the server, which is starting or stopping');
  while (presence.state === 'unreachable' && performance.now() < deadlineMs) {
    await delay(presencePollMs);
    presence = findServer(databaseFile);
  }
  return presence;
}

/**
 * The running server of this data folder; undefined when there is none. Also undefined, after a line about it, when it
 * cannot be reached, such as from outside its container; `instead` says what happens then.
 */
export async function connectToServer(
  config: Config,
  instead = 'the model is loaded in this process instead',
): Promise<ServerConnection | undefined> {
  const presence = await awaitServer(config.databaseFile);
  if (presence.state === 'none') return undefined;
  if (presence.state === 'unreachable')
    return notReachable(`the server of ${config.dataDir} has no address`, instead);
  const store = openTellingStore(config);
  const key = new TerminalKey({ store, ...openAccounts(config, store), now: Date.now });
  const connection = new ServerConnection(presence.baseUrl, key, () => store.close());
  try {
    await connection.ask('GET', '/limits');
    return connection;
  } catch (error) {
    connection.close();
    if (error instanceof ServerGoneError) return notReachable(error.message, instead);
    throw error;
  }
}

/** Runs `work` with the running server of this data folder. Throws CliError where there is none; `without` says what then. */
export async function withServer<Result>(
  config: Config,
  without: string,
  work: (server: ServerConnection) => Promise<Result>,
): Promise<Result> {
  const server = await connectToServer(config, without);
  if (server === undefined)
    throw new CliError('no server runs on this data folder', 'start one: hearth serve');
  try {
    return await work(server);
  } finally {
    server.close();
  }
}

/**
 * Runs `work` with the running server of this data folder, else with one in this process. `instead` announces that one where
 * the running server cannot be reached.
 */
export async function withServerOrOwn<Result>(
  config: Config,
  instead: string,
  work: (server: ServerConnection, isOwn: boolean) => Promise<Result>,
): Promise<Result> {
  const running = await connectToServer(config, instead);
  const own = running === undefined ? await startQuietServer(config) : undefined;
  const server = running ?? (await connectToServer(config));
  try {
    if (server === undefined) throw new CliError('the server that was started does not answer');
    return await work(server, own !== undefined);
  } finally {
    server?.close();
    await own?.close();
  }
}

/** The output of the command is not mixed with a log. The configuration stays as it is until the command ends. */
async function startQuietServer(config: Config) {
  const [{ startServer }, { createLog }] = await Promise.all([
    import('../server.ts'),
    import('../telemetry/log.ts'),
  ]);
  return await startServer(config, createLog({ level: 'silent' }), () => config);
}

function notReachable(reason: string, instead: string): undefined {
  tell(`${reason}: ${instead}`);
}
