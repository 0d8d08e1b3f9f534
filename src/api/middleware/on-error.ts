import type { ErrorHandler } from 'hono';
import { AppError, errorTable, toAppError, toErrorBody } from '../../errors.ts';
import { toStorageTrouble } from '../../storage-trouble.ts';
import type { Log } from '../../telemetry/log.ts';
import type { AppContext, AppEnv } from '../env.ts';
import { clientLeft } from '../generation/leaving.ts';

/** Seconds named by a 503 whose thrower knew nothing better. */
const defaultRetryAfterSeconds = 1;

/** Answers every error with its row of the table; what is not public goes to the log only. */
export function onError(log: Log): ErrorHandler<AppEnv> {
  return (thrown, c) => {
    if (!(thrown instanceof AppError) && c.req.raw.signal.aborted) return clientLeft(c);
    const error = toStorageTrouble(thrown) ?? toAppError(thrown, c.get('requestId'));
    c.get('access').errorCode = error.code;
    logCause(log, c.get('requestId'), error);
    return errorResponse(c, error);
  };
}

/** The response that `error` is on the wire. */
export function errorResponse(c: AppContext, error: AppError): Response {
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
  const retryAfterSeconds = error.retryAfterSeconds ?? defaultRetryAfter(error);
  if (retryAfterSeconds !== undefined) {
    c.header('retry-after', String(Math.max(1, Math.ceil(retryAfterSeconds))));
  }
  // Where it is absent the official clients try every 5xx again.
  if (error.status >= 500 && !errorTable[error.code].retryable) c.header('x-should-retry', 'false');
  return c.json(toErrorBody(error), error.status);
}

/** Logs what the client is not told: the cause of a 5xx. */
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
