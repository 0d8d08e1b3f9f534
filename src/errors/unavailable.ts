import { AppError } from './errors.ts';

/** server_overloaded for a request that may find a place after `waitMs`, a second at least. `what` is a sentence. */
export const overloaded = (what: string, waitMs: number, cause?: unknown): AppError =>
  new AppError('server_overloaded', `${what} Try again later.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
    cause,
  });

/** server_overloaded for a request that finds no place in a full waiting room, or loses its place in it. */
export const tooManyWait = (waitMs: number): AppError =>
  overloaded('Too many requests wait for this model already.', waitMs);

/** `cause` where it is an AppError, else an engine_error that hides it from clients. */
export const engineError = (
  cause: unknown,
  message = 'The model failed on this request. Try it again.',
): AppError => (cause instanceof AppError ? cause : new AppError('engine_error', message, { cause }));

/** The error of a request that an operator stopped. */
export const requestCancelled = (): AppError =>
  new AppError(
    'request_cancelled',
    'An operator of this server stopped the request. Ask them before you send it again.',
  );

/** The error of a request that comes to a server that shuts down, or is stopped by that. */
export const shuttingDown = (): AppError =>
  new AppError('server_shutting_down', 'The server is shutting down. Try again later.');
