import type { Handler } from 'hono';
import type { AppEnv, Health } from './env.ts';
import { shuttingDown } from './middleware/draining.ts';

/** GET /healthz: the process lives. */
export const healthz: Handler<AppEnv> = (c) => c.json({ status: 'ok' });

/** GET /readyz: requests can be served now, or a 503 that says why not. */
export function readyz(health: Health): Handler<AppEnv> {
  return (c) => {
    const error = health.draining() ? shuttingDown() : health.unready();
    if (error !== undefined) throw error;
    return c.json({ status: 'ready' });
  };
}
