import type { ErrorHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { AppError, errorTable, toAppError } from '../../errors/errors.ts';
import { toStorageTrouble } from '../../errors/storage-trouble.ts';
import type { Log } from '../../telemetry/log.ts';
import type { AppContext, AppEnv } from '../env.ts';
import { clientLeft } from '../generation/leaving.ts';

/** `Retry-After` of a 503 that names no time itself. */
const defaultRetryAfterSeconds = 1;

/** Answers every error with its row of the error table. Causes that are not public are only logged. */
export function onError(log: Log): ErrorHandler<AppEnv> {
  return (thrown, c) => {
    if (!(thrown instanceof AppError) && c.req.raw.signal.aborted) return clientLeft(c);
    return errorResponse(c, noteError(c, log, thrown));
  };
}

/** The public error of `thrown`, which is noted for the access log, and logged where it is the server's. */
export function noteError(c: AppContext, log: Log, thrown: unknown): AppError {
  const error = toStorageTrouble(thrown) ?? toAppError(thrown, c.get('requestId'));
  c.get('access').errorCode = error.code;
  logCause(log, c.get('requestId'), error);
  return error;
}

/** The response for `error` in the dialect of the route. */
export function errorResponse(c: AppContext, error: AppError): Response {
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
  const retryAfterSeconds = error.retryAfterSeconds ?? defaultRetryAfter(error);
  if (retryAfterSeconds !== undefined) {
    c.header('retry-after', String(Math.max(1, Math.ceil(retryAfterSeconds))));
  }
  // Without this header the official clients retry every 5xx, and Claude Code a 401 too, for three minutes.
  if (!errorTable[error.code].retryable) c.header('x-should-retry', 'false');
  const dialect = c.get('dialect');
  // Hono's type has only official statuses.
  const status = dialect.toStatus(error.code) as ContentfulStatusCode;
  return c.json(dialect.toErrorBody(error, c.get('requestId')), status);
}

/** Logs the cause of a 5xx, which the client does not get. */
export function logCause(log: Log, requestId: string, error: AppError): void {
  if (error.status < 500) return;
  log[error.status === 503 ? 'warn' : 'error'](
    { requestId, errorCode: error.code, err: error.cause ?? error },
    'request failed',
  );
}

function defaultRetryAfter(error: AppError): number | undefined {
  if (error.status !== 503 || error.code === 'server_shutting_down') return undefined;
  return errorTable[error.code].retryable ? defaultRetryAfterSeconds : undefined;
}
