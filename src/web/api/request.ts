import { EventSourceParserStream } from 'eventsource-parser/stream';
import { t } from '../words/texts.ts';
import { isOffline, noteContact, probe } from './connection.ts';

/** An answer of the server that refuses a request, or the lack of an answer (`code` is then `unreachable`). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** The parameter that is wrong; null or undefined: none is named. */
  readonly param: string | null | undefined;
  /** Seconds after which the server will take the request; undefined: it does not say. */
  readonly retryAfterSeconds: number | undefined;
  /** The request's id in the server's log; undefined: it did not get that far. */
  readonly requestId: string | undefined;

  constructor(
    message: string,
    { status = 0, code = 'unreachable', param, retryAfterSeconds, requestId }: Partial<ApiError> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
    this.retryAfterSeconds = retryAfterSeconds;
    this.requestId = requestId;
  }
}

export interface RequestOptions {
  readonly method?: string | undefined;
  /** A form is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly key?: string | undefined;
  /** The media type of the answer; undefined: any. */
  readonly accept?: string | undefined;
  /** The name under which the server keeps a streamed answer, to be read on where the connection breaks. */
  readonly streamName?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The response to a request; throws ApiError for every status but 2xx. Paths are relative to the page. */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const { method = 'GET', body, key, accept, streamName, signal } = options;
  const headers = new Headers();
  if (accept !== undefined) headers.set('accept', accept);
  if (streamName !== undefined) headers.set('x-conversation-id', streamName);
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers.set('content-type', 'application/json');
  let response: Response;
  try {
    response = await fetch(new URL(path, document.baseURI), {
      method,
      headers,
      body: body === undefined ? null : isForm ? body : toJsonBody(body),
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    noteContact(false);
    throw new ApiError(isOffline.value ? t.errors.offline : t.errors.unreachable);
  }
  noteContact(true);
  if (!response.ok) throw await toApiError(response);
  return response;
}

/** In characters. */
const largeBody = 200_000;

/** A long string would be copied before the next frame is drawn; a Blob is copied aside. */
function toJsonBody(body: unknown): string | Blob {
  const json = JSON.stringify(body);
  return json.length > largeBody ? new Blob([json]) : json;
}

/** The JSON of the answer. The server's own schemas promise its shape. */
export async function sendForJson<Answer>(path: string, options?: RequestOptions): Promise<Answer> {
  return (await (await send(path, options)).json()) as Answer;
}

/**
 * The data of each server-sent event, parsed; ends at `[DONE]` or with the stream. Throws ApiError where an event tells an
 * error, and where the stream breaks.
 */
export async function* eventsOf<Event extends object>(
  response: Response,
): AsyncGenerator<Exclude<Event, { error: unknown }>> {
  const texts = response.body?.pipeThrough(new TextDecoderStream());
  const reader = texts?.pipeThrough(new EventSourceParserStream()).getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(toBrokenStream);
      if (!done) noteContact(true);
      if (done || value.data === '[DONE]') return;
      const event = JSON.parse(value.data) as Exclude<Event, { error: unknown }> | WireError;
      if ('error' in event)
        throw new ApiError(event.error?.message ?? '', {
          code: event.error?.code ?? '',
          status: 500,
          requestId: requestIdOf(response),
        });
      yield event as Exclude<Event, { error: unknown }>;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** Throws the error of `send` where the server goes away; a stream that the page itself ended stays an abort. */
function toBrokenStream(error: unknown): never {
  if (error instanceof DOMException && error.name === 'AbortError') throw error;
  void probe();
  throw new ApiError(t.errors.unreachable);
}

const requestIdOf = ({ headers }: Response) => headers.get('x-request-id') ?? undefined;

interface WireError {
  readonly error?: {
    readonly message?: string;
    readonly code?: string | null;
    readonly param?: string | null;
  };
}

async function toApiError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as WireError;
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(body.error?.message ?? `${response.status} ${response.statusText}`, {
    status: response.status,
    code: body.error?.code ?? String(response.status),
    param: body.error?.param,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    requestId: requestIdOf(response),
  });
}
