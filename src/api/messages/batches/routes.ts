import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LineError, readBatchLines } from '../../../batches/batch-lines.ts';
import type { Batch } from '../../../batches/batch-types.ts';
import { AppError } from '../../../errors/errors.ts';
import type { Routes } from '../../add-routes.ts';
import type { AppContext, AppDeps } from '../../env.ts';
import { sendFile } from '../../files/routes.ts';
import { createBodyMemory, jsonBody } from '../../middleware/body/json-body.ts';
import { checkRoute } from '../../middleware/scopes.ts';
import { toPage } from '../../parameters/list-page.ts';
import { invalid } from '../../request/validate.ts';
import { idIn, readBody, readQuery } from '../../request/read-parameters.ts';
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
  const { batches, files } = deps;
  const find = (c: AppContext) => batches.get(c.get('principal').accountId, idIn(c), dialect);
  return {
    '/v1/messages/batches': { POST: [json, (c) => createBatch(c, deps)], GET: (c) => listBatches(c, deps) },
    '/v1/messages/batches/:id': {
      GET: (c) => c.json(toWireBatch(c, find(c))),
      DELETE: async (c) => {
        await batches.remove(c.get('principal').accountId, idIn(c), dialect);
        return c.json({ id: idIn(c), type: 'message_batch_deleted' });
      },
    },
    '/v1/messages/batches/:id/cancel': {
      POST: (c) => c.json(toWireBatch(c, batches.cancel(c.get('principal').accountId, idIn(c), dialect))),
    },
    '/v1/messages/batches/:id/results': {
      GET: (c) => {
        const { endedAtMs, outputFileId } = find(c);
        if (endedAtMs === null)
          throw new AppError(
            'not_found',
            'This batch has no results yet: its processing_status is not ended.',
          );
        return sendFile(c, files, outputFileId, 'application/x-jsonl');
      },
    },
  };
}

/** POST /v1/messages/batches: the requests become the lines of a file of the account. */
async function createBatch(c: AppContext, { files, batches, settings }: BatchDeps): Promise<Response> {
  const { requests } = readBody(c, messageBatchSchema);
  const principal = c.get('principal');
  checkRoute(principal, 'POST', endpoint);
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
}

/** Throws invalid_value that names the request instead of a line. */
async function check(file: string): Promise<void> {
  try {
    for await (const line of readBatchLines(file)) void line;
  } catch (error) {
    throw error instanceof LineError ? invalid(['requests', (error.line ?? 1) - 1], error.complaint) : error;
  }
}

/** GET /v1/messages/batches: newest first. */
function listBatches(c: AppContext, { batches }: BatchDeps): Response {
  const { after_id: after, before_id: before, limit = 20 } = readQuery(c, messageBatchesQuery);
  const { accountId } = c.get('principal');
  const order = before === undefined ? 'desc' : 'asc';
  const { rows, isMore } = batches.list(accountId, dialect, { after: after ?? before, limit, order });
  const found = before === undefined ? rows : rows.toReversed();
  const data = found.map((batch) => toWireBatch(c, batch));
  return c.json(toPage(data, isMore));
}

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
