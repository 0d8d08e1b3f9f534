import { performance } from 'node:perf_hooks';
import { AppError } from '../../../errors.ts';
import { FairQueue } from '../../queue/fair-queue.ts';
import { nothingComputed, type EmbeddingEnd, type EmbeddingRequest } from '../../types.ts';
import { tooManyWait, WaitingRoom } from '../../queue/waiting-room.ts';
import { engineError } from '../../engine-error.ts';
import { tokenizeInputs } from './embedding-inputs.ts';
import type { ThreadBudget } from '../../queue/thread-budget.ts';
import type { ChatThreads } from '../steps/chat-threads.ts';
import type { NativeEmbeddingContext } from '../native/context.ts';
import type { PrefillPacer } from '../steps/prefill-pacer.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';

export interface EmbeddingContext {
  readonly native: NativeEmbeddingContext;
  /** Default: the context keeps the threads that it has. */
  readonly threads?: ChatThreads | undefined;
  dispose(): Promise<void>;
}

export interface EmbedderOptions {
  readonly vocabulary: Vocabulary;
  /** Called when the first text comes, and again after it failed. */
  readonly openContext: () => Promise<EmbeddingContext>;
  /** Default: nothing else computes on the cores. */
  readonly threadBudget?: ThreadBudget | undefined;
  /** Most tokens of a text. */
  readonly contextTokens: number;
  /** Most tokens per step. */
  readonly batchTokens: number;
  /** Sizes the steps, so that answers beside them flow; undefined: a text is computed in as few as it can be. */
  readonly pacer?: Pick<PrefillPacer, 'chunkTokens' | 'observe'> | undefined;
  /** Requests that may wait at the same time. */
  readonly queueLimit: number;
}

/** Memory becomes free when other models leave it. */
const retrySeconds = 30;

/** One request and how far it has come. */
interface Job {
  readonly request: EmbeddingRequest;
  readonly inputs: readonly Uint32Array[];
  readonly signal: AbortSignal;
  readonly vectors: Float32Array[];
  computedTokens: number;
  readonly end: (end: EmbeddingEnd) => void;
}

/**
 * Turns texts into vectors, one text at a time: the addon tells the vector of one sequence only. Requests take turns
 * after each text, those of the key first that was served least.
 */
export class Embedder {
  readonly #options: EmbedderOptions;
  readonly #queue = new FairQueue<Job>();
  #context: Promise<EmbeddingContext> | undefined;
  #running: Promise<void> | undefined;
  /** Numbers per vector; undefined until there was one. */
  #dimensions: number | undefined;
  /** Requests that have not ended. */
  readonly #room = new WaitingRoom();

  constructor(options: EmbedderOptions) {
    this.#options = options;
  }

  get contextTokens(): number {
    return this.#options.contextTokens;
  }

  /** Its context is in memory, or on its way there. */
  get isOpen(): boolean {
    return this.#context !== undefined;
  }

  /** Resolves when `request` ended, however it ended; never rejects. */
  async embed(request: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingEnd> {
    const { vocabulary, contextTokens, queueLimit } = this.#options;
    const refusal = new AbortController();
    // One of them is computed, the others wait.
    const leave = this.#room.enter(request, queueLimit + 1, () => refusal.abort(tooManyWait(0)));
    if (leave === undefined) return { outcome: 'failed', error: tooManyWait(0), usage: nothingComputed };
    try {
      const inputs = await tokenizeInputs(request.inputs, vocabulary, contextTokens);
      refusal.signal.throwIfAborted();
      const end = await this.#submit(request, inputs, signal, refusal.signal);
      if (end.outcome !== 'aborted' || signal.aborted) return end;
      return { outcome: 'failed', error: refusal.signal.reason as AppError, usage: end.usage };
    } catch (error) {
      return { outcome: 'failed', error: error as Error, usage: nothingComputed };
    } finally {
      leave();
    }
  }

  #submit(
    request: EmbeddingRequest,
    inputs: readonly Uint32Array[],
    leaving: AbortSignal,
    refused: AbortSignal,
  ): Promise<EmbeddingEnd> {
    return new Promise((end) => {
      const signal = AbortSignal.any([leaving, refused]);
      const job: Job = { request, inputs, signal, vectors: [], computedTokens: 0, end };
      refused.addEventListener('abort', () => {
        if (this.#queue.remove(job)) end({ outcome: 'aborted', usage: usageOf(job) });
      });
      this.#queue.push(request.keyId, job);
      this.#running ??= this.#run();
    });
  }

  /** Allocates what computing needs. Throws what node-llama-cpp throws. */
  async open(): Promise<EmbeddingContext> {
    this.#context ??= this.#options.openContext();
    try {
      return await this.#context;
    } catch (error) {
      this.#context = undefined;
      throw error;
    }
  }

  /** Waits for running work, then frees the memory. */
  async dispose(): Promise<void> {
    await this.#running;
    await (await this.#context)?.dispose();
  }

  async #run(): Promise<void> {
    const sleep = this.#options.threadBudget?.beginChat();
    for (let job = this.#queue.pop(); job !== undefined; job = this.#queue.pop()) {
      const { keyId } = job.request;
      const before = job.computedTokens;
      const end = await this.#advance(job);
      this.#queue.charge(keyId, job.computedTokens - before);
      if (end === undefined) this.#queue.push(keyId, job);
      this.#queue.retire(keyId);
      if (end !== undefined) job.end(end);
    }
    sleep?.();
    this.#running = undefined;
  }

  /** Computes the next text of `job`; undefined: there are more. */
  async #advance(job: Job): Promise<EmbeddingEnd | undefined> {
    const tokens = job.inputs[job.vectors.length];
    try {
      const vector = tokens && (await this.#compute(tokens, job));
      if (vector !== undefined) job.vectors.push(vector);
      else if (tokens !== undefined) return { outcome: 'aborted', usage: usageOf(job) };
    } catch (cause) {
      return { outcome: 'failed', error: engineError(cause), usage: usageOf(job) };
    }
    if (job.vectors.length < job.inputs.length) return undefined;
    return { outcome: 'finished', vectors: job.vectors, usage: usageOf(job) };
  }

  /** undefined: aborted. */
  async #compute(tokens: Uint32Array, job: Job): Promise<Float32Array | undefined> {
    if (job.signal.aborted) return undefined;
    const { dimensions } = job.request;
    // What is refused is not charged: nobody may get it computed as often as they like.
    checkDimensions(dimensions, this.#dimensions);
    const { pacer, batchTokens } = this.#options;
    const { native: context, threads } = await this.open().catch((cause: unknown) => {
      throw noMemory(cause);
    });
    context.disposeSequence(0);
    for (let at = 0; at < tokens.length;) {
      if (job.signal.aborted) return undefined;
      threads?.adapt();
      const chunk = tokens.subarray(at, at + (pacer?.chunkTokens(1) ?? batchTokens));
      const startedAtMs = performance.now();
      context.initBatch(chunk.length);
      context.addToBatch(0, at, chunk, Uint32Array.of(chunk.length - 1));
      await context.decodeBatch();
      pacer?.observe(0, chunk.length, performance.now() - startedAtMs);
      at += chunk.length;
      job.computedTokens += chunk.length;
    }
    const vector = toVector(context, tokens.length);
    this.#dimensions = vector.length;
    checkDimensions(dimensions, vector.length);
    return vector;
  }
}

/** Throws unsupported_value where the model has no embeddings. */
function toVector(context: NativeEmbeddingContext, inputTokens: number): Float32Array {
  let values: Float64Array;
  try {
    values = context.getEmbedding(inputTokens);
  } catch (cause) {
    throw new AppError('unsupported_value', 'This model computes no embeddings. Use another one.', {
      param: 'model',
      cause,
    });
  }
  const length = Math.hypot(...values);
  if (!(length > 0 && Number.isFinite(length))) throw new Error(`a vector of length ${length}`);
  return Float32Array.from(values, (value) => value / length);
}

/** Throws unsupported_value where both numbers are known and differ. */
function checkDimensions(wanted: number | undefined, actual: number | undefined): void {
  if (wanted === undefined || actual === undefined || wanted === actual) return;
  throw new AppError(
    'unsupported_value',
    `The embeddings of this model have ${actual} dimensions and cannot be shortened. Leave it out.`,
    { param: 'dimensions' },
  );
}

const usageOf = ({ computedTokens }: Job) => ({ ...nothingComputed, promptTokens: computedTokens });

const noMemory = (cause: unknown) =>
  new AppError('model_load_failed', 'There is no memory for embeddings of this model now.', {
    retryAfterSeconds: retrySeconds,
    cause,
  });
