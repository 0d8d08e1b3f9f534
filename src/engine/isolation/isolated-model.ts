import { AppError } from '../../errors/errors.ts';
import { engineError } from '../../errors/unavailable.ts';
import { waitFor } from '../../timing/wait-for.ts';
import { brokenOff, nothingComputed, type GenerationEnd } from '../generation/generation.ts';
import type { GenerationChannel } from '../generation/generation-channel.ts';
import type { ModelWork } from '../model-backend.ts';
import { ModelLostError, type PooledModel } from '../pool/loadable.ts';
import { noMemory, type MemoryUse } from '../pool/memory-use.ts';
import type { RequestBatch } from '../queue/request-batch.ts';
import type {
  TranscriptionEnd,
  TranscriptionProgress,
  TranscriptionRequest,
} from '../speech/transcription-types.ts';
import type { GenerationRequest } from '../types.ts';
import type { SpeakingEnd, SpeakingRequest, SpokenPiece } from '../voice/speaking-types.ts';
import { fromSentEnd, type Report, type SentBatch } from './messages.ts';
import type { ModelProcess } from './model-process.ts';

type RequestOf<Work extends keyof ModelWork> = Parameters<ModelWork[Work]>[0];
/** The result that the process sends at the end: of a generation only how it ended. */
type ResultOf<Work extends keyof ModelWork> = Work extends 'generate'
  ? GenerationEnd
  : Awaited<ReturnType<ModelWork[Work]>>;

const batchIds = new WeakMap<RequestBatch, number>();
let lastBatchId = 0;

/** Time for a process to free its model: it writes caches into files for up to 5 s of it. */
const disposeTimeoutMs = 8_000;

/**
 * A loaded model in a process of its own, where requests wait for their turn. It has all methods: the process refuses
 * work that its model cannot do.
 */
export class IsolatedModel implements PooledModel, ModelWork {
  readonly countTokens = this.#asking('countTokens');
  readonly tokenize = this.#asking('tokenize');
  readonly embed = this.#asking('embed');
  readonly rank = this.#asking('rank');
  readonly lost: Promise<ModelLostError>;
  readonly #process: ModelProcess;
  readonly #writesCaches: boolean;
  #isDisposed = false;

  /** `writesCaches`: the process has something to do before it is ended. */
  constructor(process: ModelProcess, writesCaches: boolean) {
    this.#process = process;
    this.#writesCaches = writesCaches;
    // It stays pending when the process is ended on purpose, because nobody waits for it then.
    const { promise, resolve } = Promise.withResolvers<ModelLostError>();
    this.lost = promise;
    void process.ended.then((end) => this.#isDisposed || resolve(end));
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get memory(): MemoryUse {
    return this.#process.status?.memory ?? noMemory;
  }

  get contextTokens(): number | undefined {
    return this.#process.status?.contextTokens;
  }

  get slots(): number {
    return this.#process.status?.slots ?? 0;
  }

  get busySlots(): number {
    return this.#process.status?.busySlots ?? 0;
  }

  get waiting(): number {
    return this.#process.status?.waiting ?? 0;
  }

  async generate(request: GenerationRequest, channel: GenerationChannel): Promise<void> {
    let usage = nothingComputed;
    channel.usageSoFar = () => usage;
    const { signal } = channel;
    try {
      const end = await this.#ask('generate', request, signal, (report) => {
        if (report.kind === 'accepted') channel.accept();
        if (report.kind !== 'event') return;
        ({ usage } = report);
        channel.emit(report.event);
      });
      channel.end(end);
    } catch (error) {
      channel.end(brokenOff(signal, error, { usage }));
    }
  }

  async transcribe(
    request: TranscriptionRequest,
    signal: AbortSignal,
    onProgress: (progress: TranscriptionProgress) => void,
  ): Promise<TranscriptionEnd> {
    let audioSeconds = 0;
    try {
      return await this.#ask('transcribe', request, signal, (report) => {
        if (report.kind !== 'progress') return;
        const progress = report.progress as TranscriptionProgress;
        ({ audioSeconds } = progress);
        onProgress(progress);
      });
    } catch (error) {
      return brokenOff(signal, error, { audioSeconds });
    }
  }

  async speak(
    request: SpeakingRequest,
    signal: AbortSignal,
    onPiece: (piece: SpokenPiece) => void,
  ): Promise<SpeakingEnd> {
    let audioSeconds = 0;
    let usage = nothingComputed;
    try {
      return await this.#ask('speak', request, signal, (report) => {
        if (report.kind !== 'progress') return;
        const piece = report.progress as SpokenPiece;
        audioSeconds += piece.samples.length / piece.sampleRateHz;
        ({ usage } = piece);
        onPiece(piece);
      });
    } catch (error) {
      return brokenOff(signal, error, { usage, audioSeconds });
    }
  }

  /** The model's method for work that reports nothing before its end. */
  #asking<Work extends keyof ModelWork>(work: Work) {
    return (request: RequestOf<Work>, signal: AbortSignal): Promise<ResultOf<Work>> =>
      this.#ask(work, request, signal);
  }

  /** The process's result for the request. Throws AppError, or the reason of `signal`. */
  async #ask<Work extends keyof ModelWork>(
    work: Work,
    request: RequestOf<Work>,
    signal: AbortSignal,
    onReport?: (report: Report) => void,
  ): Promise<ResultOf<Work>> {
    const { batch, samples, ...sent } = request as {
      readonly batch?: RequestBatch;
      readonly samples?: Float32Array;
    };
    const call = { method: 'work', work, request: sent, batch: toSentBatch(batch) } as const;
    try {
      return fromSentEnd(await this.#process.call(call, { signal, onReport, samples })) as ResultOf<Work>;
    } catch (cause) {
      signal.throwIfAborted();
      throw toClientError(cause);
    }
  }

  /** Ends the process: all of its memory is given back. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    if (this.#writesCaches) await this.#freeModel();
    await this.#process.kill();
  }

  async #freeModel(): Promise<void> {
    const freed = this.#process.call({ method: 'dispose' });
    const timeoutError = () => new Error('too late');
    await waitFor(freed, { timeoutMs: disposeTimeoutMs, timeoutError }).catch(() => undefined);
  }
}

function toSentBatch(batch: RequestBatch | undefined): SentBatch | undefined {
  if (batch === undefined) return undefined;
  const id = batchIds.get(batch) ?? ++lastBatchId;
  batchIds.set(batch, id);
  return { id, size: batch.size };
}

function toClientError(cause: unknown): AppError {
  if (!(cause instanceof ModelLostError)) return engineError(cause);
  return new AppError(
    'model_unavailable',
    'The process that ran this model has ended. It is started again: send the request again.',
    { retryAfterSeconds: 1, cause },
  );
}
