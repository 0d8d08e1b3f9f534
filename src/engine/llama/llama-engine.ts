import { InsufficientMemoryError, type Llama } from 'node-llama-cpp';
import { AppError } from '../../errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { GenerationChannel } from '../generation-channel.ts';
import { AnswerCompiler } from '../guard/answer-compiler.ts';
import { TurnGuard } from '../guard/turn-guard.ts';
import { DeviceFullError, LoadRefusedError, type Loadable } from '../pool/loadable.ts';
import type { ModelPool } from '../pool/model-pool.ts';
import { RunningWork, shuttingDown } from '../queue/running-work.ts';
import {
  nothingComputed,
  type EmbeddingEnd,
  type EmbeddingRequest,
  type Engine,
  type Generation,
  type GenerationRequest,
  type ModelState,
} from '../types.ts';
import { loadModel, type LoadLimits, type ModelSpec, type TurnPreparation } from './load-model.ts';
import { chooseLoad } from './plan-load.ts';
import type { ServedModel } from './served-model.ts';
import { loadedAddonFile } from './template-engine.ts';

/** A model as the engine sees it: where its file is, how to load it, how long to keep it. */
export interface EngineModel extends ModelSpec {
  readonly keepAliveMs: number | undefined;
}

/** Verdict on a file that might crash the process that loads it. */
export type FileVerdict =
  | { readonly loadable: true }
  | {
      readonly loadable: false;
      readonly reason: string;
      /** When it may be tried again, by `Date.now()`; undefined: at any time. */
      readonly retryAtMs?: number;
    };

export interface LlamaEngineOptions extends LoadLimits {
  readonly llama: Llama;
  /** Shared with the other engines; outlives this one. */
  readonly pool: ModelPool;
  /** The model of a canonical id; undefined when there is none (any more). */
  readonly findModel: (modelId: string) => EngineModel | undefined;
  /** Tries a file in a process of its own, or remembers that it was tried. */
  readonly checkFile: (path: string, signal: AbortSignal) => Promise<FileVerdict>;
  readonly log: Log;
}

/** The chat engine: loads GGUF models when they are first asked for and generates from many requests at once. */
export class LlamaEngine implements Engine {
  readonly #options: LlamaEngineOptions;
  readonly #work = new RunningWork();
  readonly #preparation: TurnPreparation;

  constructor(options: LlamaEngineOptions) {
    this.#options = options;
    const guard = new TurnGuard(loadedAddonFile(), options.log);
    this.#preparation = { guard, answers: new AnswerCompiler(guard) };
  }

  generate(request: GenerationRequest, signal: AbortSignal): Generation {
    const channel = new GenerationChannel(signal);
    void this.#work.add(this.#serve(request, channel), () => channel.abort(shuttingDown()));
    return channel.generation;
  }

  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingEnd> {
    const stopping = new AbortController();
    return this.#work.add(this.#embed(request, signal, stopping.signal), () =>
      stopping.abort(shuttingDown()),
    );
  }

  modelState(modelId: string): ModelState {
    return this.#options.pool.state(modelId);
  }

  /** Loads a model before anyone asks for it. Throws AppError like `generate`. */
  async preload(modelId: string, signal: AbortSignal = new AbortController().signal): Promise<void> {
    const lease = await this.#options.pool.acquire(this.#loadable(modelId), { signal });
    lease.release();
  }

  async close(graceMs: number): Promise<void> {
    await this.#work.close(graceMs);
    await this.#preparation.guard.close();
  }

  async #serve(request: GenerationRequest, channel: GenerationChannel): Promise<void> {
    try {
      if (this.#work.isClosed) throw shuttingDown();
      const { signal } = channel;
      const { modelId, keepAliveMs } = request;
      const use = { caller: request, signal, keepAliveMs };
      const lease = await this.#options.pool.acquire(this.#loadable(modelId), use);
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

  /** `stopping` is aborted with the error that the caller gets. */
  async #embed(
    request: EmbeddingRequest,
    leaving: AbortSignal,
    stopping: AbortSignal,
  ): Promise<EmbeddingEnd> {
    const signal = AbortSignal.any([leaving, stopping]);
    let end: EmbeddingEnd;
    try {
      if (this.#work.isClosed) throw shuttingDown();
      const { modelId, keepAliveMs } = request;
      const use = { caller: request, signal, keepAliveMs };
      const lease = await this.#options.pool.acquire(this.#loadable(modelId), use);
      try {
        end = await lease.model.embed(request, signal);
      } finally {
        lease.release();
      }
    } catch (error) {
      end = signal.aborted
        ? { outcome: 'aborted', usage: nothingComputed }
        : { outcome: 'failed', error: toError(error), usage: nothingComputed };
    }
    if (end.outcome !== 'aborted' || !stopping.aborted) return end;
    return { outcome: 'failed', error: toError(stopping.reason), usage: end.usage };
  }

  /** Throws model_not_found. */
  #loadable(modelId: string): Loadable<ServedModel> {
    const { llama, findModel, checkFile, log } = this.#options;
    const spec = findModel(modelId);
    if (spec === undefined)
      throw new AppError('model_not_found', `The model '${modelId}' is gone.`, { param: 'model' });
    return {
      id: spec.id,
      keepAliveMs: spec.keepAliveMs,
      plan: async (budget, signal) => {
        const verdict = await checkFile(spec.path, signal);
        if (!verdict.loadable) throw new LoadRefusedError(verdict.reason, verdict.retryAtMs);
        const chosen = await chooseLoad(llama, spec, budget);
        return {
          memory: chosen.memory,
          remedy: 'Lower its context or parallel, take a smaller quantization, or raise the memory setting.',
          load: async (loadSignal) => {
            try {
              const limits = { ...this.#options, ...this.#preparation };
              return await loadModel(llama, spec, chosen, limits, log, loadSignal);
            } catch (error) {
              throw error instanceof InsufficientMemoryError ? new DeviceFullError(error.message) : error;
            }
          },
        };
      },
    };
  }
}
const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
