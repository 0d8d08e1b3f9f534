import type { Handler } from 'hono';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { AppEnv, Health } from '../env.ts';
import { shuttingDown } from '../middleware/draining.ts';
import { errorResponse } from '../middleware/on-error.ts';

/** GET /healthz: 200 while the process runs. */
export const healthz: Handler<AppEnv> = (c) => c.json({ status: 'ok' });

/** GET /readyz: 200 if requests can be served now, with the models that cannot, otherwise a 503 with the reason. */
export function readyz(health: Health): Handler<AppEnv> {
  return (c) => {
    const error = health.draining() ? shuttingDown() : health.unready();
    if (error === undefined) {
      const unavailable = health.unavailable();
      return c.json({ status: 'ready', ...(unavailable.length > 0 && { unavailable }) });
    }
    // Not thrown, because a thrown error is logged, and monitors ask every second.
    c.get('access').errorCode = error.code;
    return errorResponse(c, error);
  };
}

/** GET /metrics: all metrics in the text format of Prometheus. */
export function scrapeMetrics(metrics: Metrics): Handler<AppEnv> {
  return async (c) => {
    const text = await metrics.render();
    return c.body(text, 200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' });
  };
}
