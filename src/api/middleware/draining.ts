import { createMiddleware } from 'hono/factory';
import { AppError } from '../../errors/errors.ts';
import type { AppEnv, Health } from '../env.ts';

/** Refuses new requests once shutdown has begun. Running requests continue. */
export function draining(health: Health) {
  return createMiddleware<AppEnv>(async (_c, next) => {
    if (health.draining()) throw shuttingDown();
    await next();
  });
}

/** Has requests that change something wait while another program locks the database. */
export function whenWritable(health: Health) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (c.req.method !== 'GET') await health.writable();
    await next();
  });
}

export function shuttingDown(): AppError {
  return new AppError(
    'server_shutting_down',
    'The server is shutting down and takes no new requests. Try again when it is back.',
    // The next attempt must use a new connection, because this one is about to close.
    { headers: { connection: 'close' } },
  );
}
