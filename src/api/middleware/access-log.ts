import { createMiddleware } from 'hono/factory';
import type { Log } from '../../telemetry/log.ts';
import { nodeBindings } from '../env.ts';
import type { AppContext, AppEnv } from '../env.ts';

/** nginx's status for a client that went away before it had its answer. */
const clientClosedRequest = 499;

/** Asked every few seconds by whatever watches the process. */
const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/**
 * Writes one line per request when its last byte is out, streams included: who, what, how long, how many tokens.
 * Never headers, queries, prompts or completions.
 */
export function accessLog(log: Log) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const { outgoing } = nodeBindings(c);
    outgoing?.once('close', () => {
      const status = outgoing.headersSent ? outgoing.statusCode : clientClosedRequest;
      writeLine(log, c, status, outgoing.writableFinished);
    });
    await next();
    if (outgoing === undefined) writeLine(log, c, c.res.status, true);
  });
}

function writeLine(log: Log, c: AppContext, status: number, complete: boolean): void {
  const { settled } = c.get('access');
  const durationMs = Math.round(performance.now() - c.get('arrivedAtMs'));
  const write = (): void => {
    const { settled: _, ...fields } = c.get('access');
    log[probes.has(c.req.path) ? 'debug' : 'info'](
      {
        requestId: c.get('requestId'),
        method: c.req.method,
        path: c.req.path.slice(0, 256),
        status,
        durationMs,
        ...(complete ? undefined : { clientLeft: true }),
        ...fields,
      },
      'request',
    );
  };
  if (settled === undefined) write();
  else void settled.then(write, write);
}
