import type { Handler } from 'hono';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { AppEnv, Health, AppContext } from '../env.ts';
import { shuttingDown } from '../middleware/draining.ts';
import { errorResponse } from '../middleware/on-error.ts';
import { z } from 'zod';
import { namedObject } from '../openapi/json-schema.ts';
import { bytes, json, operationsOf } from '../openapi/operation.ts';

const alive = namedObject('Alive', { status: z.literal('ok') });
const ready = namedObject('Ready', {
  status: z.literal('ready'),
  unavailable: z
    .array(z.strictObject({ model: z.string(), reason: z.string() }))
    .min(1)
    .optional()
    .describe('Models that cannot serve now. The others can.'),
});

export const serviceOperations = operationsOf(['Service', 'this-machine'], {
  getHealth: {
    route: 'GET /healthz',
    summary: 'Whether the process lives',
    access: 'anyone',
    answer: json(alive, 'It does.'),
  },
  getReadiness: {
    route: 'GET /readyz',
    summary: 'Whether requests can be served',
    answer: json(ready, 'They can.'),
    errors: ['server_shutting_down', 'not_ready'],
  },
  getMetrics: {
    route: 'GET /metrics',
    summary: 'What is counted and measured, for Prometheus',
    description: 'From another machine an admin key is needed.',
    answer: bytes(['text/plain'], 'Every metric, in the text format of Prometheus.'),
    errors: ['insufficient_permissions'],
  },
});

/** GET /healthz: 200 while the process runs. */
export const healthz: Handler<AppEnv> = (c) => c.json({ status: 'ok' });

/** GET /readyz: 200 if requests can be served now, with the models that cannot, otherwise a 503 with the reason. */
export function readyz(c: AppContext, health: Health): Response {
  const error = health.draining() ? shuttingDown() : health.unready();
  if (error === undefined) {
    const unavailable = health.unavailable();
    return c.json({ status: 'ready', ...(unavailable.length > 0 && { unavailable }) });
  }
  // Not thrown, because a thrown error is logged, and monitors ask every second.
  c.get('access').errorCode = error.code;
  return errorResponse(c, error);
}

/** GET /metrics: all metrics in the text format of Prometheus. */
export async function scrapeMetrics(c: AppContext, metrics: Metrics): Promise<Response> {
  const text = await metrics.render();
  return c.body(text, 200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' });
}
