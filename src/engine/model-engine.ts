import { AppError } from '../errors/errors.ts';
import { GenerationChannel } from './generation/generation-channel.ts';
import { able, type ServedModel } from './model-backend.ts';
import type { Loadable } from './pool/loadable.ts';
import type { ModelPool } from './pool/model-pool.ts';
import { RunningWork } from './queue/running-work.ts';
import { shuttingDown } from '../errors/unavailable.ts';
import type {
  SpeechEngine,
  TranscriptionEnd,
  TranscriptionProgress,
  TranscriptionRequest,
} from './speech/transcription-types.ts';
import {
  brokenOff,
  nothingComputed,
  type EmbeddingEnd,
  type Engine,
  type Generation,
} from './generation/generation.ts';
import type { EmbeddingRequest, GenerationRequest, ModelUse } from './types.ts';
import type { SpeakingEnd, SpeakingRequest, SpokenPiece, VoiceEngine } from './voice/speaking-types.ts';
import type { TextEngine, RankEnd, RankRequest, TokenizedText, TokenizeRequest } from './text-engine.ts';

export interface ModelEngineOptions {
  /** Outlives this engine. */
  readonly pool: ModelPool;
  /** How to load the model of a canonical id; undefined when there is none (any more). */
  readonly findModel: (modelId: string) => Loadable<ServedModel> | undefined;
}

/**
 * The one way to models, whichever backend runs them: has a model loaded when it is first asked for, keeps it in
 * memory while it works, and ends all work when the server shuts down.
 */
export class ModelEngine implements Engine, SpeechEngine, TextEngine, VoiceEngine {
  readonly #options: ModelEngineOptions;
  readonly #work = new RunningWork();

  constructor(options: ModelEngineOptions) {
    this.#options = options;
  }

  generate(request: GenerationRequest, signal: AbortSignal): Generation {
    const channel = new GenerationChannel(signal);
    void this.#work.add(this.#generate(request, channel), () => channel.abort(shuttingDown()));
    return channel.generation;
  }

  countTokens(request: GenerationRequest, signal: AbortSignal): Promise<number> {
    return this.#ask(request, signal, (model, ending) => able(model.countTokens?.(request, ending)));
  }

  tokenize(request: TokenizeRequest, signal: AbortSignal): Promise<TokenizedText> {
    return this.#ask(request, signal, (model, ending) => able(model.tokenize?.(request, ending)));
  }

  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingEnd> {
    const ask = (model: ServedModel, ending: AbortSignal) => able(model.embed?.(request, ending));
    return this.#start(request, signal, ask, { usage: nothingComputed });
  }

  rank(request: RankRequest, signal: AbortSignal): Promise<RankEnd> {
    const ask = (model: ServedModel, ending: AbortSignal) => able(model.rank?.(request, ending));
    return this.#start(request, signal, ask, { usage: nothingComputed });
  }

  transcribe(
    request: TranscriptionRequest,
    signal: AbortSignal,
    onProgress: (progress: TranscriptionProgress) => void = () => undefined,
  ): Promise<TranscriptionEnd> {
    const ask = (model: ServedModel, ending: AbortSignal) =>
      able(model.transcribe?.(request, ending, onProgress));
    return this.#start(request, signal, ask, { audioSeconds: 0 });
  }

  speak(
    request: SpeakingRequest,
    signal: AbortSignal,
    onPiece: (piece: SpokenPiece) => void,
  ): Promise<SpeakingEnd> {
    const ask = (model: ServedModel, ending: AbortSignal) => able(model.speak?.(request, ending, onPiece));
    return this.#start(request, signal, ask, { usage: nothingComputed, audioSeconds: 0 });
  }

  /** Loads a model before anyone asks for it; of one that is open elsewhere, asks its servers again. Throws AppError, or the signal's reason. */
  async preload(modelId: string, signal: AbortSignal = new AbortController().signal): Promise<void> {
    const lease = await this.#options.pool.acquire(this.#find(modelId), { signal });
    await lease.model.lookAgain?.();
    lease.release();
  }

  /** Refuses new work with server_shutting_down, lets running work go on until `graceMs` passed, then ends it. */
  close(graceMs: number): Promise<void> {
    return this.#work.close(graceMs);
  }

  async #generate(request: GenerationRequest, channel: GenerationChannel): Promise<void> {
    try {
      await this.#use(request, channel.signal, (model) => able(model.generate?.(request, channel)));
    } catch (error) {
      if (channel.signal.aborted) channel.end({ outcome: 'aborted', usage: nothingComputed });
      else channel.end({ outcome: 'failed', error: toError(error), usage: nothingComputed });
    }
  }

  /** The result of `ask`. Throws AppError, or the reason of `signal`. */
  async #ask<Result>(
    request: ModelUse,
    signal: AbortSignal,
    ask: (model: ServedModel, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const finish = async (model: ServedModel, ending: AbortSignal) => ({
      outcome: 'finished' as const,
      result: await ask(model, ending),
    });
    const end = await this.#start(request, signal, finish, {});
    if (end.outcome === 'finished') return end.result;
    throw end.outcome === 'failed' ? end.error : signal.reason;
  }

  /** How the work of `ask` ended. Never rejects. `nothing` is told as spent where no work began. */
  #start<End extends { readonly outcome: string }, Spent extends object>(
    request: ModelUse,
    leaving: AbortSignal,
    ask: (model: ServedModel, signal: AbortSignal) => Promise<End>,
    nothing: Spent,
  ) {
    return this.#work.run(leaving, (signal) =>
      this.#use(request, signal, (model) => ask(model, signal)).catch((cause: unknown) =>
        brokenOff(signal, cause, nothing),
      ),
    );
  }

  /** The result of `use` for the model, which stays in memory meanwhile. Throws AppError, or the error of `use`. */
  async #use<Result>(
    { modelId, keepAliveMs, ...caller }: ModelUse,
    signal: AbortSignal,
    use: (model: ServedModel) => Promise<Result>,
  ): Promise<Result> {
    if (this.#work.isClosed) throw shuttingDown();
    const lease = await this.#options.pool.acquire(this.#find(modelId), { caller, signal, keepAliveMs });
    try {
      return await use(lease.model);
    } finally {
      lease.release();
    }
  }

  #find(modelId: string): Loadable<ServedModel> {
    const loadable = this.#options.findModel(modelId);
    if (loadable !== undefined) return loadable;
    throw new AppError('model_not_found', `The model '${modelId}' is gone.`, { param: 'model' });
  }
}

const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
