import { AppError } from './errors.ts';

/** The error of a request that finds no place now. `what` is a sentence; the client may come back after that time. */
export function overloaded(what: string, retryAfterSeconds: number): AppError {
  return new AppError('server_overloaded', `${what} Try again later.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)),
  });
}

/** The error of a request that comes to a server that shuts down, or is stopped by that. */
export const shuttingDown = (): AppError =>
  new AppError('server_shutting_down', 'The server is shutting down. Try again later.');
