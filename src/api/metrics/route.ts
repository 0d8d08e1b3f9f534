import type { Handler } from 'hono';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { AppEnv } from '../env.ts';

/** GET /metrics: all metrics in the text format of Prometheus. */
export function scrapeMetrics(metrics: Metrics): Handler<AppEnv> {
  return async (c) => {
    const text = await metrics.render();
    return c.body(text, 200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' });
  };
}
