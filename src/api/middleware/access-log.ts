import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import { isPutOff } from '../../batches/line-retries.ts';
import type { Catalog } from '../../catalog/types.ts';
import { clientClosedRequest } from '../../errors/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { nodeBindings, type AppContext, type AppEnv, type JsonObject } from '../env.ts';
import { findNamedModel } from '../model/model-names.ts';

/** Paths that monitors request every few seconds. */
const probes: ReadonlySet<string> = new Set(['/healthz', '/health', '/readyz', '/metrics']);

interface Sinks {
  readonly catalog: Catalog;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Counts every request, and logs one line when its last byte is sent, without headers, queries and texts. */
export function accessLog(sinks: Sinks) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const { outgoing } = nodeBindings(c);
    sinks.metrics.requestBegan();
    outgoing?.once('close', () => {
      const status = outgoing.headersSent ? outgoing.statusCode : clientClosedRequest;
      record(sinks, c, status, outgoing.writableFinished);
    });
    await next();
    if (outgoing === undefined) record(sinks, c, c.res.status, true);
  });
}

function record({ catalog, log, metrics }: Sinks, c: AppContext, status: number, complete: boolean): void {
  const { settled } = c.get('access');
  const durationMs = Math.round(performance.now() - c.get('arrivedAtMs'));
  const write = (): void => {
    const { settled: _, ...fields } = c.get('access');
    const requestId = c.get('requestId');
    log[probes.has(c.req.path) ? 'debug' : 'info'](
      {
        requestId,
        method: c.req.method,
        path: c.req.path.slice(0, 256),
        status,
        durationMs,
        ...(complete ? undefined : { clientLeft: true }),
        ...fields,
      },
      'request',
    );
    const { batchOrigin } = nodeBindings(c);
    const comesAgain = batchOrigin !== undefined && isPutOff(c.res, batchOrigin);
    metrics.requestEnded({
      ...fields,
      namedModel: fields.model ?? namedModel(c, catalog),
      requestId,
      route: routeOf(c),
      status,
      durationMs,
      clientLeft: !complete,
      // The meter knows how metered work ended: a stream with a name goes on when its client leaves.
      stopped: fields.stopped ?? (settled === undefined && status === clientClosedRequest),
      batchId: batchOrigin?.batchId,
      isPutOff: comesAgain,
    });
  };
  if (settled === undefined) write();
  else void settled.then(write, write);
}

/** The model that a request named, also where it was refused before it came to that; undefined: there is no such model. */
function namedModel(c: AppContext, catalog: Catalog): string | undefined {
  const body = c.get('body') as JsonObject | undefined;
  return typeof body?.['model'] === 'string' ? findNamedModel(catalog, body['model'])?.model.id : undefined;
}

/** The documented path of the request, such as `/v1/models/{id}`; undefined if no route has it. */
export function routeOf(c: AppContext): string | undefined {
  const routes = matchedRoutes(c).filter(({ path }) => !path.endsWith('*'));
  // A shorter path whose last parameter has slashes matches as well, with other methods.
  const route = routes.findLast(({ method }) => method === c.req.method) ?? routes.at(-1);
  return route?.path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, '{$1}');
}
