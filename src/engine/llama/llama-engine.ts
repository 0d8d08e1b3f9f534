import { InsufficientMemoryError, type Llama } from 'node-llama-cpp';
import { AppError } from '../../errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { GenerationChannel } from '../generation-channel.ts';
import { ModelPool } from '../model-pool.ts';
import {
  nothingComputed,
  type Engine,
  type Generation,
  type GenerationRequest,
  type ModelState,
} from '../types.ts';
import { loadModel, type LoadLimits, type ModelSpec } from './load-model.ts';
import type { LoadedModel } from './loaded-model.ts';

/** A model as the engine sees it: where its file is, how to load it, how long to keep it. */
export interface EngineModel extends ModelSpec {
  readonly keepAliveMs: number | undefined;
}

/** Verdict on a file that might crash the process that loads it. */
export type FileVerdict = { readonly loadable: true } | { readonly loadable: false; readonly reason: string };

export interface LlamaEngineOptions extends LoadLimits {
  readonly llama: Llama;
  /** The model of a canonical id; undefined when there is none (any more). */
  readonly findModel: (modelId: string) => EngineModel | undefined;
  /** Tries a file in a process of its own, or remembers that it was tried. */
  readonly checkFile: (path: string, signal: AbortSignal) => Promise<FileVerdict>;
  readonly loadTimeoutMs: number;
  readonly failureCoolDownMs: number;
  readonly log: Log;
}

/** The chat engine: loads GGUF models when they are first asked for and generates from many requests at once. */
export class LlamaEngine implements Engine {
  readonly #options: LlamaEngineOptions;
  readonly #pool: ModelPool<LoadedModel>;
  /** Each generation and the promise of its end, which never rejects. */
  readonly #running = new Map<GenerationChannel, Promise<void>>();
  #closed: Promise<void> | undefined;

  constructor(options: LlamaEngineOptions) {
    this.#options = options;
    this.#pool = new ModelPool({
      load: (modelId, signal) => this.#load(modelId, signal),
      keepAliveMs: (modelId) => options.findModel(modelId)?.keepAliveMs,
      loadTimeoutMs: options.loadTimeoutMs,
      failureCoolDownMs: options.failureCoolDownMs,
      log: options.log,
    });
  }

  generate(request: GenerationRequest, signal: AbortSignal): Generation {
    const channel = new GenerationChannel(signal);
    const served = this.#serve(request, channel).finally(() => this.#running.delete(channel));
    this.#running.set(channel, served);
    return channel.generation;
  }

  modelState(modelId: string): ModelState {
    return this.#pool.state(modelId);
  }

  /** Loads a model before anyone asks for it. Throws AppError like `generate`. */
  async preload(modelId: string): Promise<void> {
    const lease = await this.#pool.acquire(modelId, new AbortController().signal);
    lease.release();
  }

  close(graceMs: number): Promise<void> {
    this.#closed ??= this.#close(graceMs);
    return this.#closed;
  }

  async #close(graceMs: number): Promise<void> {
    const grace = Promise.withResolvers<void>();
    const timer = setTimeout(() => grace.resolve(), graceMs);
    await Promise.race([Promise.all(this.#running.values()), grace.promise]);
    clearTimeout(timer);
    for (const channel of this.#running.keys()) channel.abort(shuttingDown());
    await this.#pool.close();
    await this.#options.llama.dispose();
  }

  async #serve(request: GenerationRequest, channel: GenerationChannel): Promise<void> {
    try {
      if (this.#closed !== undefined) throw shuttingDown();
      const lease = await this.#pool.acquire(request.modelId, channel.signal);
      try {
        await lease.model.run(request, channel);
      } finally {
        lease.release();
      }
    } catch (error) {
      if (channel.signal.aborted) channel.end({ outcome: 'aborted', usage: nothingComputed });
      else channel.end({ outcome: 'failed', error: toError(error), usage: nothingComputed });
    }
  }

  async #load(modelId: string, signal: AbortSignal): Promise<LoadedModel> {
    const { llama, findModel, checkFile, log } = this.#options;
    const spec = findModel(modelId);
    if (spec === undefined)
      throw new AppError('model_not_found', `The model '${modelId}' is gone.`, { param: 'model' });
    const verdict = await checkFile(spec.path, signal);
    if (!verdict.loadable) throw new Error(verdict.reason);
    while (true) {
      try {
        return await loadModel(llama, spec, this.#options, log, signal);
      } catch (error) {
        if (!(error instanceof InsufficientMemoryError) || !(await this.#pool.evictOne())) throw error;
      }
    }
  }
}

const shuttingDown = () =>
  new AppError('server_shutting_down', 'The server is shutting down. Try again later.');
const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
