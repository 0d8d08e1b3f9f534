import { isPutOff } from '../../batches/line-retries.ts';
import type { Batch, BatchOrigin, LineRequest, SendLine } from '../../batches/batch-types.ts';
import type { Middleware, Routes } from '../add-routes.ts';
import type { AppDeps, AppEnv } from '../env.ts';
import { toList } from '../parameters/list-page.ts';
import { idIn, readBody, readQuery } from '../request/read-parameters.ts';
import { checkRoute } from '../middleware/scopes.ts';
import { batchSchema, batchesQuery } from './operation.ts';
import type { Hono } from 'hono';
import type { DeferredCharge } from '../../limits/types.ts';

const dialect = 'openai';
/** How long results are kept whose batch names no time, as on the original service. */
const resultsMs = 30 * 86_400_000;

export const batchRoutes = ({ batches }: Pick<AppDeps, 'batches'>, json: Middleware): Routes => ({
  '/v1/batches': {
    // The lines are checked afterwards.
    POST: [
      json,
      (c) => {
        const { endpoint, metadata, input_file_id, output_expires_after } = readBody(c, batchSchema);
        checkRoute(c.get('principal'), 'POST', endpoint);
        const keptMs = output_expires_after === undefined ? resultsMs : output_expires_after.seconds * 1000;
        const wanted = { dialect, endpoint, inputFileId: input_file_id, metadata, keptMs } as const;
        return c.json(toWireBatch(batches.create(c.get('principal'), wanted)));
      },
    ],
    GET: (c) => {
      const { after, limit = 20 } = readQuery(c, batchesQuery);
      const page = { after, limit, order: 'desc' } as const;
      const { rows, isMore } = batches.list(c.get('principal').accountId, dialect, page);
      return c.json(toList(rows.map(toWireBatch), isMore));
    },
  },
  '/v1/batches/:id': {
    GET: (c) => c.json(toWireBatch(batches.get(c.get('principal').accountId, idIn(c), dialect))),
  },
  '/v1/batches/:id/cancel': {
    POST: (c) => c.json(toWireBatch(batches.cancel(c.get('principal').accountId, idIn(c), dialect))),
  },
});

const toSeconds = (ms: number | null) => (ms === null ? null : Math.floor(ms / 1000));

/** A batch as the API tells of it. */
export function toWireBatch(batch: Batch) {
  const { status, endedAtMs, outputBytes, errorBytes, problems, metadata, wait } = batch;
  const endedAs = (end: Batch['status']) => (status === end ? toSeconds(endedAtMs) : null);
  const hasEnded = endedAtMs !== null && status !== 'failed';
  return {
    id: batch.id,
    object: 'batch',
    endpoint: batch.endpoint,
    model: batch.model,
    errors: problems === null ? null : { object: 'list', data: toWireProblems(problems) },
    input_file_id: batch.inputFileId,
    completion_window: '24h',
    status,
    output_file_id: hasEnded && outputBytes > 0 ? batch.outputFileId : null,
    error_file_id: hasEnded && errorBytes > 0 ? batch.errorFileId : null,
    created_at: toSeconds(batch.createdAtMs),
    in_progress_at: toSeconds(batch.begunAtMs),
    expires_at: toSeconds(batch.expiresAtMs),
    finalizing_at: toSeconds(batch.finalizingAtMs),
    completed_at: endedAs('completed'),
    failed_at: endedAs('failed'),
    expired_at: endedAs('expired'),
    cancelling_at: toSeconds(batch.cancellingAtMs),
    cancelled_at: endedAs('cancelled'),
    request_counts: { total: batch.total, completed: batch.succeeded, failed: batch.errored },
    usage: {
      input_tokens: batch.promptTokens,
      input_tokens_details: { cached_tokens: batch.cachedTokens },
      output_tokens: batch.completionTokens,
      output_tokens_details: { reasoning_tokens: batch.reasoningTokens },
      total_tokens: batch.promptTokens + batch.completionTokens,
    },
    metadata: metadata === null ? null : (JSON.parse(metadata) as Record<string, string>),
    hearth:
      wait === undefined || endedAtMs !== null
        ? null
        : {
            waiting_until: Math.ceil(wait.untilMs / 1000),
            waiting_for: wait.reason,
            waiting_code: wait.code ?? null,
            waiting_server: wait.server ?? null,
          },
  };
}

function toWireProblems(json: string) {
  const problems = JSON.parse(json) as readonly { readonly line: number | null; readonly message: string }[];
  return problems.map(({ line, message }) => ({ code: 'invalid_value', line, message, param: null }));
}

/** Sends lines of batches through the whole application, as if they were requests that come by themselves. */
export function sendLinesTo(app: Hono<AppEnv>): SendLine {
  return async ({ batchId, keyId, endpoint, body, isLastTry }: LineRequest, signal) => {
    const charges: DeferredCharge[] = [];
    const defer = (charge: DeferredCharge) => void charges.push(charge);
    const batchOrigin: BatchOrigin = { batchId, keyId, isLastTry, defer };
    const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
    const request = new Request(`http://localhost${endpoint}`, { method: 'POST', headers, body, signal });
    const response = await app.fetch(request, { batchOrigin });
    const text = await response.text();
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      status: response.status,
      requestId: response.headers.get('x-request-id') ?? '',
      json: text === '' ? 'null' : text,
      ignored: response.headers.get('x-ignored-parameters')?.split(', ') ?? [],
      retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
      isPutOff: isPutOff(response, batchOrigin),
      charges,
    };
  };
}
