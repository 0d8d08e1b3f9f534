import { AppError } from '../../errors/errors.ts';
import { engineError } from '../../errors/unavailable.ts';
import type { GenerationChannel } from '../generation-channel.ts';
import type { ServedModel } from '../model-backend.ts';
import { ModelLostError } from '../pool/loadable.ts';
import { waitFor } from '../../timing/wait-for.ts';
import { noMemory, type MemoryUse } from '../pool/memory-use.ts';
import type { RequestBatch } from '../queue/request-batch.ts';
import type {
  TranscriptionEnd,
  TranscriptionProgress,
  TranscriptionRequest,
} from '../speech/transcription-types.ts';
import { nothingComputed, type EmbeddingEnd, type GenerationEnd } from '../generation.ts';
import type { EmbeddingRequest, GenerationRequest } from '../types.ts';
import { fromSentEnd, type SentGeneration } from './messages.ts';
import type { ModelProcess } from './model-process.ts';

const batchIds = new WeakMap<RequestBatch, number>();
let lastBatchId = 0;

/** What a process that frees its model gets, which writes caches into files for no more than 5 s. */
const disposeTimeoutMs = 8_000;

/** A loaded model in a process of its own. Requests wait for their turn there. */
export class IsolatedModel implements ServedModel {
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
      const end = await this.#process.call(
        { method: 'generate', request: toSent(request) },
        {
          signal,
          onReport(report) {
            if (report.kind === 'accepted') channel.accept();
            if (report.kind !== 'event') return;
            ({ usage } = report);
            channel.emit(report.event);
          },
        },
      );
      channel.end(fromSentEnd(end) as GenerationEnd);
    } catch (cause) {
      if (signal.aborted) channel.end({ outcome: 'aborted', usage });
      else channel.end({ outcome: 'failed', error: toClientError(cause), usage });
    }
  }

  async countTokens(request: GenerationRequest, signal: AbortSignal): Promise<number> {
    try {
      return (await this.#process.call(
        { method: 'countTokens', request: toSent(request) },
        { signal },
      )) as number;
    } catch (cause) {
      signal.throwIfAborted();
      throw toClientError(cause);
    }
  }

  async embed(request: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingEnd> {
    try {
      const end = await this.#process.call({ method: 'embed', request }, { signal });
      return fromSentEnd(end) as EmbeddingEnd;
    } catch (cause) {
      if (signal.aborted) return { outcome: 'aborted', usage: nothingComputed };
      return { outcome: 'failed', error: toClientError(cause), usage: nothingComputed };
    }
  }

  async transcribe(
    { samples, ...request }: TranscriptionRequest,
    signal: AbortSignal,
    onProgress: (progress: TranscriptionProgress) => void,
  ): Promise<TranscriptionEnd> {
    let audioSeconds = 0;
    try {
      const end = await this.#process.call(
        { method: 'transcribe', request },
        {
          signal,
          samples,
          onReport(report) {
            if (report.kind !== 'progress') return;
            ({ audioSeconds } = report.progress);
            onProgress(report.progress);
          },
        },
      );
      return fromSentEnd(end) as TranscriptionEnd;
    } catch (cause) {
      if (signal.aborted) return { outcome: 'aborted', audioSeconds };
      return { outcome: 'failed', error: toClientError(cause), audioSeconds };
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

function toSent({ batch, ...request }: GenerationRequest): SentGeneration {
  if (batch === undefined) return request;
  const id = batchIds.get(batch) ?? ++lastBatchId;
  batchIds.set(batch, id);
  return { ...request, batch: { id, size: batch.size } };
}

function toClientError(cause: unknown): AppError {
  if (!(cause instanceof ModelLostError)) return engineError(cause);
  return new AppError(
    'model_unavailable',
    'The process that ran this model has ended. It is started again: send the request again.',
    { retryAfterSeconds: 1, cause },
  );
}
