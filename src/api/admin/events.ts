import { setTimeout as sleep } from 'node:timers/promises';
import { tokensPerSecond, type LiveRequest } from '../../telemetry/live-requests.ts';
import { AppError } from '../../errors/errors.ts';
import { packageVersion } from '../../config/package-version.ts';
import type { FeedRequest } from '../../telemetry/request-feed.ts';
import type { AppDeps, AppContext } from '../env.ts';
import type { Routes } from '../add-routes.ts';
import { idIn } from '../request/read-parameters.ts';
import { createLeaving } from '../generation/leaving.ts';
import { dataEvent, jsonEvent, sseResponse } from '../generation/wire/sse.ts';
import { toSeconds, toWireNotice } from './convert.ts';
import { toWireModels } from './models/routes.ts';

/** Changes are told once a second. */
const stepMs = 1000;
const toldNoticesMs = 7 * 86_400_000;
const mostNotices = 20;
/** A watcher that reads slowly misses the oldest of more requests than this. */
const maxUntold = 1000;

/**
 * GET /admin/v1/events: the work of the server, as events without an end: the models and the notices when they change,
 * each request that ended, and those that run once a second while there are any.
 */
export function watchEvents(c: AppContext, deps: AppDeps): Response {
  const leaving = createLeaving(c);
  return sseResponse(c, toEvents(deps, leaving.signal), () => leaving.abort(), deps.settings);
}

async function* toEvents(deps: AppDeps, signal: AbortSignal): AsyncGenerator<string> {
  const { feed } = deps.metrics;
  const untold: FeedRequest[] = [...feed.last];
  const stop = feed.listen((request) => {
    untold.push(request);
    if (untold.length > maxUntold) untold.shift();
  });
  let told = '';
  let toldNotices = '[]';
  const server = serverFacts();
  let toldRunning = '[]';
  try {
    while (!signal.aborted && !deps.health.draining()) {
      const models = JSON.stringify({
        object: 'server_event',
        type: 'models',
        ...toWireModels(deps),
        server,
      });
      if (models !== told) yield dataEvent((told = models));
      const notices = JSON.stringify(noticesOf(deps));
      if (notices !== toldNotices)
        yield dataEvent(`{"object":"server_event","type":"notices","data":${notices}}`);
      toldNotices = notices;
      const data = untold.splice(0).map(toWireRequest);
      if (data.length > 0) yield jsonEvent({ object: 'server_event', type: 'requests', data });
      const running = JSON.stringify(deps.metrics.live.all.map(toWireLive));
      if (running !== '[]' || toldRunning !== '[]')
        yield dataEvent(`{"object":"server_event","type":"running","data":${running}}`);
      toldRunning = running;
      await sleep(stepMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    stop();
  }
}

/** Work that runs can be stopped: its client gets the error request_cancelled. */
export const requestRoutes = ({ metrics, administration: { keys } }: AppDeps): Routes => ({
  '/requests/:id/cancel': {
    POST: (c) => {
      const id = idIn(c);
      const cancelled = metrics.live.cancel(id);
      if (cancelled === undefined)
        throw new AppError('not_found', 'No such request runs or waits: it may have ended.');
      const { model, keyId } = cancelled;
      const key = keys.list().find((one) => one.id === keyId);
      // People know a request by its model, and by who sent it.
      const names = { name: model, key: key?.name || key?.redacted, accountName: key?.accountName };
      c.set('act', ['request.cancel', id, names]);
      return c.json(toWireLive(cancelled));
    },
  },
});

const serverFacts = () => ({
  version: packageVersion,
  started_at: toSeconds(Date.now() - process.uptime() * 1000),
});

const noticesOf = ({ administration, clock }: AppDeps) =>
  administration.notices
    .list({ fromMs: clock.nowMs() - toldNoticesMs, limit: mostNotices })
    .map(toWireNotice);

function toWireLive(live: LiveRequest) {
  const { id, route, model, keyId, batchId, arrivedAtMs, startedAtMs, tokens } = live;
  return {
    id,
    route,
    model,
    key_id: keyId,
    batch_id: batchId ?? null,
    age_ms: Math.round(performance.now() - arrivedAtMs),
    state: startedAtMs === undefined ? 'waiting' : 'computing',
    output_tokens: tokens,
    tokens_per_second: Math.round(tokensPerSecond(live) * 10) / 10,
  };
}

function toWireRequest(request: FeedRequest) {
  return {
    ended_at: toSeconds(request.endedAtMs),
    route: request.route ?? null,
    request_id: request.requestId,
    status: request.status,
    duration_ms: request.durationMs,
    model: request.namedModel ?? null,
    key_id: request.keyId ?? null,
    error_code: request.errorCode ?? null,
    client_left: request.clientLeft === true,
    stopped: request.stopped === true,
    prompt_tokens: request.promptTokens ?? null,
    completion_tokens: request.completionTokens ?? null,
    audio_seconds: request.audioSeconds ?? null,
    batch_id: request.batchId ?? null,
    time_to_first_token_ms: request.timeToFirstTokenMs ?? null,
  };
}
