import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Handler } from 'hono';
import { LineError, readBatchLines } from '../../../batches/batch-lines.ts';
import type { Batch } from '../../../batches/batch-types.ts';
import { AppError } from '../../../errors/errors.ts';
import type { Routes } from '../../add-routes.ts';
import type { AppContext, AppDeps, AppEnv } from '../../env.ts';
import { sendFile } from '../../files/routes.ts';
import { createBodyMemory, jsonBody } from '../../middleware/body/json-body.ts';
import { toPage } from '../../parameters/list-page.ts';
import { readBody, readQuery } from '../../request/read-parameters.ts';
import { messageBatchSchema, messageBatchesQuery } from './operation.ts';

type BatchDeps = Pick<AppDeps, 'files' | 'batches' | 'settings'>;

const dialect = 'anthropic';
const endpoint = '/v1/messages';
/** How long requests and results are kept, near to the 29 days of the original service. */
const keptMs = 30 * 86_400_000;
/** Larger than other bodies, and small enough that parsing one holds up others for a moment only. */
const mostBodyBytes = 16 * 2 ** 20;
const mostBodyParts = 500_000;

/** Anthropic's batches: the same rows as OpenAI's, and the requests in the body instead of a file. */
export function messageBatchRoutes(deps: BatchDeps): Routes {
  const json = jsonBody(mostBodyBytes, createBodyMemory(mostBodyBytes, 2), { mostParts: mostBodyParts });
  return {
    '/v1/messages/batches': { POST: [json, createBatch(deps)], GET: listBatches(deps) },
    '/v1/messages/batches/:id': { GET: getBatch(deps), DELETE: deleteBatch(deps) },
    '/v1/messages/batches/:id/cancel': { POST: cancelBatch(deps) },
    '/v1/messages/batches/:id/results': { GET: getResults(deps) },
  };
}

/** POST /v1/messages/batches: the requests become the lines of a file of the account. */
function createBatch({ files, batches, settings }: BatchDeps): Handler<AppEnv> {
  return async (c) => {
    const { requests } = readBody(c, messageBatchSchema);
    const principal = c.get('principal');
    const lines = requests.map(({ custom_id, params: body }) =>
      [JSON.stringify({ custom_id, method: 'POST', url: endpoint, body }), '\n'].join(''),
    );
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
    const release = files.reserve(principal.accountId, bytes);
    const folder = await mkdtemp(path.join(settings.uploadsDir, 'batch-'));
    try {
      const file = path.join(folder, 'lines');
      await pipeline(Readable.from(lines), createWriteStream(file, { mode: 0o600 }));
      await check(file);
      const arrived = { path: file, filename: 'requests.jsonl', purpose: 'batch', keptMs };
      const { id } = await files.add(principal.accountId, arrived, release);
      const wanted = { dialect, endpoint, inputFileId: id, metadata: undefined, keptMs } as const;
      return c.json(toWireBatch(c, batches.create(principal, { ...wanted, total: requests.length })));
    } finally {
      release();
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** Throws invalid_value that names the request instead of a line. */
async function check(file: string): Promise<void> {
  try {
    for await (const line of readBatchLines(file)) void line;
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    const param = `requests[${error.line - 1}]`;
    throw new AppError('invalid_value', `'${param}' ${error.complaint}.`, { param });
  }
}

/** GET /v1/messages/batches: newest first. */
function listBatches({ batches }: BatchDeps): Handler<AppEnv> {
  return (c) => {
    const { after_id: after, before_id: before, limit = 20 } = readQuery(c, messageBatchesQuery);
    const { accountId } = c.get('principal');
    const order = before === undefined ? 'desc' : 'asc';
    const { rows, isMore } = batches.list(accountId, dialect, { after: after ?? before, limit, order });
    const found = before === undefined ? rows : rows.toReversed();
    return c.json(
      toPage(
        found.map((batch) => toWireBatch(c, batch)),
        isMore,
      ),
    );
  };
}

/** GET /v1/messages/batches/{id}: how far it is. */
function getBatch(deps: BatchDeps): Handler<AppEnv> {
  return (c) => c.json(toWireBatch(c, find(c, deps)));
}

/** POST /v1/messages/batches/{id}/cancel: what has been computed by then is kept. */
function cancelBatch({ batches }: BatchDeps): Handler<AppEnv> {
  return (c) => c.json(toWireBatch(c, batches.cancel(c.get('principal').accountId, idOf(c), dialect)));
}

/** DELETE /v1/messages/batches/{id}: with its requests and results, once it has ended. */
function deleteBatch({ batches }: BatchDeps): Handler<AppEnv> {
  return async (c) => {
    await batches.remove(c.get('principal').accountId, idOf(c), dialect);
    return c.json({ id: idOf(c), type: 'message_batch_deleted' });
  };
}

/** GET /v1/messages/batches/{id}/results: one result per line, in any order. */
function getResults(deps: BatchDeps): Handler<AppEnv> {
  return (c) => {
    const { endedAtMs, outputFileId } = find(c, deps);
    if (endedAtMs === null)
      throw new AppError('not_found', 'This batch has no results yet: its processing_status is not ended.');
    return sendFile(c, deps.files, outputFileId, 'application/x-jsonl');
  };
}

const idOf = (c: AppContext) => c.req.param('id') ?? '';
const find = (c: AppContext, { batches }: BatchDeps) =>
  batches.get(c.get('principal').accountId, idOf(c), dialect);
const toTime = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

function toWireBatch(c: AppContext, batch: Batch) {
  const { id, status, total, succeeded, errored, endedAtMs, outputBytes } = batch;
  const rest = total - succeeded - errored;
  const hasEnded = endedAtMs !== null;
  return {
    id,
    type: 'message_batch',
    processing_status: hasEnded ? 'ended' : status === 'cancelling' ? 'canceling' : 'in_progress',
    request_counts: {
      processing: hasEnded ? 0 : rest,
      succeeded,
      errored,
      canceled: status === 'cancelled' ? rest : 0,
      expired: status === 'expired' ? rest : 0,
    },
    created_at: toTime(batch.createdAtMs),
    expires_at: toTime(batch.expiresAtMs),
    ended_at: toTime(endedAtMs),
    cancel_initiated_at: toTime(batch.cancellingAtMs),
    archived_at: null,
    results_url:
      hasEnded && outputBytes > 0 ? new URL(`/v1/messages/batches/${id}/results`, c.req.url).href : null,
  };
}
