import type { Hono } from 'hono';
import type { BatchOrigin, LineRequest, SendLine } from '../../batches/batch-types.ts';
import type { DeferredCharge } from '../../limits/types.ts';
import type { AppEnv } from '../env.ts';

/**
 * Sends lines of batches through the whole application, so that keys, parameters, models and limits are checked, and
 * answers made, as for requests that come by themselves.
 */
export function sendLinesTo(app: Hono<AppEnv>): SendLine {
  return async ({ batchId, keyId, endpoint, body }: LineRequest, signal) => {
    const charges: DeferredCharge[] = [];
    const batchOrigin: BatchOrigin = { batchId, keyId, defer: (charge) => void charges.push(charge) };
    const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
    const request = new Request(`http://localhost${endpoint}`, { method: 'POST', headers, body, signal });
    const response = await app.fetch(request, { batchOrigin });
    const text = await response.text();
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      status: response.status,
      requestId: response.headers.get('x-request-id') ?? '',
      json: text === '' ? 'null' : text,
      retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
      isRetryable:
        response.status === 429 ||
        (response.status >= 500 && response.headers.get('x-should-retry') !== 'false'),
      charges,
    };
  };
}
