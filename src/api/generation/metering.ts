import type { CatalogModel } from '../../catalog/types.ts';
import type { ModelMemory } from '../../engine/pool/model-status.ts';
import { nothingComputed } from '../../engine/generation/generation.ts';
import { requestCancelled } from '../../errors/unavailable.ts';
import type { Measure } from '../../accounts/plans.ts';
import type { Admission, Limiter } from '../../limits/types.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { nodeBindings, type AppContext, type Health } from '../env.ts';
import { contextTokensOf } from '../model/model-names.ts';
import { createLeaving } from './leaving.ts';
import { Meter, type MeteredEnd } from './meter.ts';

export interface MeteredRoute {
  readonly route: string;
  readonly measures: readonly Measure[];
  /** Most seconds of audio that a byte of a request can be, or become. */
  readonly secondsPerByte?: number;
}

/** No codec of speech takes fewer than 4 kbit for a second. */
const heardPerByte = 1 / 500;
/** Digits are spoken as words. */
const spokenPerByte = 0.5;
/** The size of a request that does not say its own. */
const unknownBytes = 64 * 1024;
/** The context of a model that does not say its own. */
const unknownContext = 32_768;

export const meteredRoutes = {
  chatCompletions: { route: '/v1/chat/completions', measures: ['requests', 'inputTokens', 'outputTokens'] },
  messages: { route: '/v1/messages', measures: ['requests', 'inputTokens', 'outputTokens'] },
  responses: { route: '/v1/responses', measures: ['requests', 'inputTokens', 'outputTokens'] },
  responsesCompact: { route: '/v1/responses/compact', measures: ['requests', 'inputTokens', 'outputTokens'] },
  completions: { route: '/v1/completions', measures: ['requests', 'inputTokens', 'outputTokens'] },
  llamaCompletion: { route: '/completion', measures: ['requests', 'inputTokens', 'outputTokens'] },
  infill: { route: '/infill', measures: ['requests', 'inputTokens', 'outputTokens'] },
  embeddings: { route: '/v1/embeddings', measures: ['requests', 'inputTokens'] },
  ollamaChat: { route: '/api/chat', measures: ['requests', 'inputTokens', 'outputTokens'] },
  ollamaGenerate: { route: '/api/generate', measures: ['requests', 'inputTokens', 'outputTokens'] },
  lmStudioChat: { route: '/api/v1/chat', measures: ['requests', 'inputTokens', 'outputTokens'] },
  ollamaEmbed: { route: '/api/embed', measures: ['requests', 'inputTokens'] },
  ollamaEmbeddings: { route: '/api/embeddings', measures: ['requests', 'inputTokens'] },
  rerank: { route: '/v1/rerank', measures: ['requests', 'inputTokens'] },
  tokenize: { route: '/v1/tokenize', measures: ['requests'] },
  applyTemplate: { route: '/apply-template', measures: ['requests'] },
  detokenize: { route: '/v1/detokenize', measures: ['requests'] },
  transcriptions: {
    route: '/v1/audio/transcriptions',
    measures: ['requests', 'audioSeconds'],
    secondsPerByte: heardPerByte,
  },
  speech: {
    route: '/v1/audio/speech',
    measures: ['requests', 'inputTokens', 'audioSeconds'],
    secondsPerByte: spokenPerByte,
  },
  translations: {
    route: '/v1/audio/translations',
    measures: ['requests', 'audioSeconds'],
    secondsPerByte: heardPerByte,
  },
} as const satisfies Record<string, MeteredRoute>;

interface MeteredDeps {
  readonly limiter: Limiter;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'live'>;
  readonly models: Pick<ModelMemory, 'status'>;
  readonly health: Pick<Health, 'writable'>;
}

export interface MeteredJob<Work, Result> {
  readonly route: MeteredRoute;
  readonly model: CatalogModel;
  /** Most tokens that it can use, of a model with this context; default: one for each byte of the request. */
  readonly mostTokens?: ((contextTokens: number) => number) | undefined;
  /** Begins the work, which `signal` stops. An error of it is charged as a failure that computed nothing. */
  readonly start: (signal: AbortSignal) => Work | Promise<Work>;
  /** Stops the work; default: it stops when the client disconnects. */
  readonly leaving?: AbortController | undefined;
  /** Waits for the work and answers with it, or begins a stream. `stop` aborts the work. */
  readonly use: (work: Work, meter: Meter, stop: () => void) => Promise<Result>;
}

/**
 * The result of `use`, after the request was admitted by the limiter. From then on every response has `x-ratelimit-*`
 * headers, and the work stops when the client disconnects unless `leaving` says otherwise. It is always charged when it
 * ends: before this function resolves or, if `use` began a stream, when the stream has ended. Throws
 * rate_limit_exceeded, and errors of `start` and `use`.
 */
export async function runMetered<Work extends { readonly ended: Promise<MeteredEnd> }, Result>(
  c: AppContext,
  deps: MeteredDeps,
  job: MeteredJob<Work, Result>,
): Promise<Result> {
  const { start, use, leaving = createLeaving(c) } = job;
  await deps.health.writable();
  const { meter, leave } = admit(c, deps, job, leaving);
  const started = (async () => await start(leaving.signal))();
  const ended = started.then(
    async (work): Promise<MeteredEnd> => await work.ended,
    (error: unknown): MeteredEnd => ({ outcome: 'failed', error: toError(error), usage: nothingComputed }),
  );
  try {
    return await use(await started, meter, () => leaving.abort());
  } catch (thrown) {
    throw c.get('cancelled') ?? thrown;
  } finally {
    const settled = meter.settleAt(ended);
    void settled.then(leave);
    // An answer in one piece waits for its charge, so that the client's next request finds the right allowance.
    if (!meter.isStreaming) await settled;
  }
}

const toError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)));

type AdmittedJob = Pick<MeteredJob<unknown, unknown>, 'route' | 'model' | 'mostTokens'>;

/**
 * The meter of a request that the limiter has admitted; `leave` takes it from the live ones, from which an operator can
 * stop it by `leaving`. Throws rate_limit_exceeded.
 */
function admit(
  c: AppContext,
  { limiter, log, metrics, models }: MeteredDeps,
  { route: { route, measures, secondsPerByte = 0 }, model, mostTokens }: AdmittedJob,
  leaving: AbortController,
): { readonly meter: Meter; readonly leave: () => void } {
  const access = c.get('access');
  access.model = model.id;
  const { batchOrigin } = nodeBindings(c);
  const admission = limiter.admit({
    principal: c.get('principal'),
    modelId: model.id,
    measures,
    route,
    most: () => {
      const bytes = Number(c.req.header('content-length') ?? unknownBytes);
      const context = contextTokensOf(model, models) ?? unknownContext;
      return { tokens: mostTokens?.(context) ?? bytes, audioSeconds: bytes * secondsPerByte };
    },
    batch: batchOrigin,
  });
  const setHeaders = (headers: Admission['headers']) => {
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
  };
  setHeaders(admission.headers);
  const live = metrics.live.begin({
    id: c.get('requestId'),
    route,
    model: model.id,
    keyId: c.get('principal').keyId,
    batchId: batchOrigin?.batchId,
    arrivedAtMs: c.get('arrivedAtMs'),
    cancel: () => {
      c.set('cancelled', requestCancelled());
      leaving.abort();
    },
  });
  const meter = new Meter({
    live,
    admission,
    arrivedAtMs: c.get('arrivedAtMs'),
    access,
    isBatch: batchOrigin !== undefined,
    log: log.child({ requestId: c.get('requestId') }),
    setHeaders,
  });
  return { meter, leave: () => metrics.live.end(live) };
}
