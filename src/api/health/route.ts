import type { Handler } from 'hono';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Routes } from '../add-routes.ts';
import type { AppContext, AppDeps, AppEnv, Health } from '../env.ts';
import { authenticate, requireKind, unlessLocal } from '../middleware/authenticate.ts';
import type { LocalTest } from '../middleware/local-request.ts';
import { AppError } from '../../errors/errors.ts';
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
  getHealthAsLlamaServer: {
    route: 'GET /health',
    summary: 'Whether requests can be served, as llama-server tells it',
    access: 'anyone',
    answer: json(alive, 'They can.'),
    errors: ['server_shutting_down', 'not_ready'],
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

export function healthRoutes({ authenticator, health, metrics }: AppDeps, isLocal: LocalTest): Routes {
  const withKey = unlessLocal(isLocal, authenticate(authenticator));
  const asAdmin = unlessLocal(isLocal, requireKind('admin'));
  return {
    '/healthz': { GET: healthz },
    '/health': { GET: (c) => briefHealth(c, health) },
    '/readyz': { GET: [withKey, (c: AppContext) => readyz(c, health)] },
    '/metrics': { GET: [withKey, asAdmin, (c: AppContext) => scrapeMetrics(c, metrics)] },
  };
}

/** GET /healthz: 200 while the process runs. */
const healthz: Handler<AppEnv> = (c) => c.json({ status: 'ok' });

/** GET /health: the same as /readyz, for anybody, and so without a word about models. */
function briefHealth(c: AppContext, health: Health): Response {
  const { code } = readinessError(health) ?? {};
  if (code === undefined) return c.json({ status: 'ok' });
  return refuse(c, new AppError(code, 'Requests cannot be served now. GET /readyz says why.'));
}

/** GET /readyz: 200 if requests can be served now, with the models that cannot, otherwise a 503 with the reason. */
function readyz(c: AppContext, health: Health): Response {
  const error = readinessError(health);
  if (error !== undefined) return refuse(c, error);
  const unavailable = health.unavailable();
  return c.json({ status: 'ready', ...(unavailable.length > 0 && { unavailable }) });
}

const readinessError = (health: Health): AppError | undefined =>
  health.draining() ? shuttingDown() : health.unready();

/** Not thrown, because a thrown error is logged, and monitors ask every second. */
function refuse(c: AppContext, error: AppError): Response {
  c.get('access').errorCode = error.code;
  return errorResponse(c, error);
}

/** GET /metrics: all metrics in the text format of Prometheus. */
async function scrapeMetrics(c: AppContext, metrics: Metrics): Promise<Response> {
  const text = await metrics.render();
  return c.body(text, 200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' });
}
