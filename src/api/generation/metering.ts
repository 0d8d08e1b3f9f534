import type { CatalogModel } from '../../catalog/types.ts';
import { nothingComputed, type Usage } from '../../engine/types.ts';
import { AppError } from '../../errors.ts';
import type { Measure } from '../../accounts/plans.ts';
import type { Admission, Limiter } from '../../limits/types.ts';
import type { Log } from '../../telemetry/log.ts';
import type { AccessRecord, AppContext } from '../env.ts';
import { createLeaving } from './leaving.ts';

export interface MeteredRoute {
  /** The name of the route in the ledger. */
  readonly route: string;
  readonly measures: readonly Measure[];
}

/** Every metered route and its measures. */
export const meteredRoutes = {
  chatCompletions: { route: '/v1/chat/completions', measures: ['requests', 'inputTokens', 'outputTokens'] },
  responses: { route: '/v1/responses', measures: ['requests', 'inputTokens', 'outputTokens'] },
  completions: { route: '/v1/completions', measures: ['requests', 'inputTokens', 'outputTokens'] },
  embeddings: { route: '/v1/embeddings', measures: ['requests', 'inputTokens'] },
  transcriptions: { route: '/v1/audio/transcriptions', measures: ['requests', 'audioSeconds'] },
} as const satisfies Record<string, MeteredRoute>;

/** How metered work ended. `usage` and `audioSeconds` are what was actually computed. */
export type MeteredEnd = { readonly usage: Usage; readonly audioSeconds?: number } & (
  | { readonly outcome: 'finished' | 'aborted' }
  | { readonly outcome: 'failed'; readonly error: Error }
);

const clientClosedRequest = 499;

interface MeteredDeps {
  readonly limiter: Limiter;
  readonly log: Log;
}

interface MeteredJob<Work, Result> {
  readonly route: MeteredRoute;
  readonly model: CatalogModel;
  /** Begins the work, which `signal` stops. What it throws is charged as a failure that computed nothing. */
  readonly start: (signal: AbortSignal) => Work | Promise<Work>;
  /** Waits for the work and answers with it, or begins a stream. `stop` aborts the work. */
  readonly use: (work: Work, meter: Meter, stop: () => void) => Promise<Result>;
}

/**
 * What `use` returns, after the request was admitted by the limiter. From then on every response has `x-ratelimit-*`
 * headers, and the work stops when the client disconnects. It is always charged when it ends: before this function
 * resolves or, if `use` began a stream, when the stream has ended. Throws rate_limit_exceeded, and what `start` and
 * `use` throw.
 */
export async function runMetered<Work extends { readonly ended: Promise<MeteredEnd> }, Result>(
  c: AppContext,
  deps: MeteredDeps,
  { route, model, start, use }: MeteredJob<Work, Result>,
): Promise<Result> {
  const meter = admit(c, deps, route, model);
  const leaving = createLeaving(c);
  const started = (async () => await start(leaving.signal))();
  const ended = started.then(
    async (work): Promise<MeteredEnd> => await work.ended,
    (error: unknown): MeteredEnd => ({ outcome: 'failed', error: toError(error), usage: nothingComputed }),
  );
  try {
    return await use(await started, meter, () => leaving.abort());
  } finally {
    const settled = meter.settleAt(ended);
    // An answer in one piece waits for its charge, so that the client's next request finds the right allowance.
    if (!meter.isStreaming) await settled;
  }
}

const toError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** The meter of a request that the limiter has admitted. Throws rate_limit_exceeded. */
function admit(
  c: AppContext,
  { limiter, log }: MeteredDeps,
  { route, measures }: MeteredRoute,
  model: CatalogModel,
): Meter {
  const access = c.get('access');
  access.model = model.id;
  const admission = limiter.admit({ principal: c.get('principal'), modelId: model.id, measures, route });
  const setHeaders = (headers: Admission['headers']) => {
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
  };
  setHeaders(admission.headers);
  return new Meter({
    admission,
    arrivedAtMs: c.get('arrivedAtMs'),
    access,
    log: log.child({ requestId: c.get('requestId') }),
    setHeaders,
  });
}

interface MeterOptions {
  readonly admission: Admission;
  /** On the monotonic clock of `performance.now()`. */
  readonly arrivedAtMs: number;
  readonly access: AccessRecord;
  readonly log: Log;
  /** Sets headers of the response; only before it begins. */
  readonly setHeaders: (headers: Admission['headers']) => void;
}

/** Charges one admitted request, once and at its end, for what was actually computed. */
export class Meter {
  readonly #options: MeterOptions;
  readonly #settled = Promise.withResolvers<void>();
  #timeToFirstTokenMs: number | null = null;
  #streamBegan = false;

  constructor(options: MeterOptions) {
    this.#options = options;
    options.access.settled = this.#settled.promise;
  }

  /** Must be called for every output; the first call sets the time to the first token. */
  noteOutput(): void {
    this.#timeToFirstTokenMs ??= Math.round(performance.now() - this.#options.arrivedAtMs);
  }

  /** From now on the status is 200, even if the generation fails. */
  noteStreamBegins(): void {
    this.#streamBegan = true;
  }

  get isStreaming(): boolean {
    return this.#streamBegan;
  }

  /** Resolves when the request is charged; never rejects. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  /** Charges the request when it has ended. Must be called once, when it is known whether a stream began. */
  async settleAt(ended: Promise<MeteredEnd>): Promise<void> {
    this.#settle(await ended);
    this.#settled.resolve();
  }

  #settle(end: MeteredEnd): void {
    const status = this.#streamBegan ? 200 : toStatus(end);
    const isRefusal = status >= 400 && status < 500 && status !== clientClosedRequest;
    const usage = isRefusal ? nothingComputed : end.usage;
    const audioSeconds = isRefusal ? 0 : (end.audioSeconds ?? 0);
    // A short answer can be complete before its first text is read.
    if (usage.completionTokens > 0) this.noteOutput();
    // Without a stream the client gets no output of a request that fails.
    const outputSent = this.#streamBegan && this.#timeToFirstTokenMs !== null;
    const { admission, arrivedAtMs, access, log, setHeaders } = this.#options;
    access.promptTokens = usage.promptTokens;
    access.cachedTokens = usage.cachedTokens;
    access.completionTokens = usage.completionTokens;
    if (end.audioSeconds !== undefined) access.audioSeconds = audioSeconds;
    if (this.#timeToFirstTokenMs !== null) access.timeToFirstTokenMs = this.#timeToFirstTokenMs;
    try {
      admission.settle({
        ...usage,
        status,
        audioSeconds,
        durationMs: Math.round(performance.now() - arrivedAtMs),
        timeToFirstTokenMs: this.#timeToFirstTokenMs,
        refundRequest: end.outcome === 'failed' && !outputSent,
      });
      // The headers of an answer in one piece can still have the allowance after its own charge.
      if (!this.#streamBegan) setHeaders(admission.currentHeaders());
    } catch (error) {
      // The answer is computed and may be half sent. To lose the charge does less harm than to break the answer.
      log.error({ err: error }, 'a finished request could not be charged');
    }
  }
}

function toStatus(end: MeteredEnd): number {
  switch (end.outcome) {
    case 'finished':
      return 200;
    case 'aborted':
      return clientClosedRequest;
    case 'failed':
      return end.error instanceof AppError ? end.error.status : 500;
    default:
      return end satisfies never;
  }
}
