import { nothingComputed, type Usage } from '../../engine/generation/generation.ts';
import { AppError, clientClosedRequest } from '../../errors/errors.ts';
import type { Admission, Used } from '../../limits/types.ts';
import { noteStarted, noteTokens, type LiveRequest } from '../../telemetry/live-requests.ts';
import type { Log } from '../../telemetry/log.ts';
import type { AccessRecord } from '../env.ts';

/** How metered work ended. `usage` and `audioSeconds` count actual work only. */
export type MeteredEnd = { readonly usage: Usage; readonly audioSeconds?: number } & (
  | { readonly outcome: 'finished' | 'aborted' }
  | { readonly outcome: 'failed'; readonly error: Error }
);

interface MeterOptions {
  readonly admission: Admission;
  /** On the monotonic clock of `performance.now()`. */
  readonly arrivedAtMs: number;
  readonly access: AccessRecord;
  readonly log: Log;
  readonly live: LiveRequest;
  /** Nobody waits for it, so how long it took tells nothing. */
  readonly isBatch: boolean;
  /** Sets headers of the response; only before it begins. */
  readonly setHeaders: (headers: Admission['headers']) => void;
}

/** Charges one admitted request, once and at its end, for actual work. */
export class Meter {
  readonly #options: MeterOptions;
  readonly #settled = Promise.withResolvers<void>();
  #timeToFirstTokenMs: number | null = null;
  #streamBegan = false;

  constructor(options: MeterOptions) {
    this.#options = options;
    options.access.settled = this.#settled.promise;
  }

  /** Must be called for every output, with all tokens of it by now; the first call sets the time to the first token. */
  noteOutput({ completionTokens }: Usage): void {
    noteTokens(this.#options.live, completionTokens);
    this.#noteFirstOutput();
  }

  #noteFirstOutput(): void {
    this.#timeToFirstTokenMs ??= Math.round(performance.now() - this.#options.arrivedAtMs);
  }

  /** Must be called for every output of a stream, so that it is charged even if the server dies before its end. */
  noteUse(usedSoFar: () => Used): void {
    this.#options.admission.note(usedSoFar);
  }

  /** Must be called when the model begins with the request. */
  noteStarted(): void {
    noteStarted(this.#options.live);
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
    if (usage.completionTokens > 0) this.#noteFirstOutput();
    // Without a stream the client gets no output of a request that fails.
    const outputSent = this.#streamBegan && this.#timeToFirstTokenMs !== null;
    const { admission, arrivedAtMs, access, log, setHeaders, isBatch } = this.#options;
    access.promptTokens = usage.promptTokens;
    access.cachedTokens = usage.cachedTokens;
    access.completionTokens = usage.completionTokens;
    if (end.audioSeconds !== undefined) access.audioSeconds = audioSeconds;
    if (end.outcome === 'aborted') access.stopped = true;
    if (this.#timeToFirstTokenMs !== null && !isBatch) access.timeToFirstTokenMs = this.#timeToFirstTokenMs;
    try {
      admission.settle({
        ...usage,
        status,
        errorStatus: end.outcome === 'failed' ? toStatus(end) : undefined,
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
  if (end.outcome === 'failed') return end.error instanceof AppError ? end.error.status : 500;
  return end.outcome === 'finished' ? 200 : clientClosedRequest;
}
