import { createMiddleware } from 'hono/factory';
import { AppError } from '../../errors.ts';
import type { AppEnv, Health } from '../env.ts';

/** Refuses new work once shutdown began; what runs already goes on. */
export function draining(health: Health) {
  return createMiddleware<AppEnv>(async (_c, next) => {
    if (health.draining()) throw shuttingDown();
    await next();
  });
}

export function shuttingDown(): AppError {
  return new AppError(
    'server_shutting_down',
    'The server is shutting down and takes no new requests. Try again when it is back.',
    // So that the next attempt does not find the same socket about to close under it.
    { headers: { connection: 'close' } },
  );
}
