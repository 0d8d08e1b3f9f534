import { statSync } from 'node:fs';
import { AppError } from '../../errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { LoadRefusedError, type Loadable } from '../pool/loadable.ts';
import { fitsInto, type MemoryUse } from '../pool/memory-use.ts';
import type { ModelPool } from '../pool/model-pool.ts';
import { RunningWork, shuttingDown } from '../queue/running-work.ts';
import type { ThreadBudget } from '../queue/thread-budget.ts';
import {
  sampleRateHz,
  type SpeechEngine,
  type TranscriptionEnd,
  type TranscriptionProgress,
  type TranscriptionRequest,
} from '../speech/transcription-types.ts';
import type { ModelState } from '../types.ts';
import { addonFile } from './addon/addon-file.ts';
import { LoadedSpeechModel } from './loaded-speech-model.ts';
import { estimateMemory, isGgmlFile, readDimensions } from './model-file.ts';
import { NativeSpeechModel } from './addon/native.ts';

/** A speech model as the engine sees it. */
export interface SpeechModelSpec {
  readonly id: string;
  readonly path: string;
  /** Transcriptions at the same time; fewer where they do not fit or there are fewer cores. */
  readonly parallel: number;
  /** Most threads of one transcription; undefined: the cores that are free, 1 for a small model. */
  readonly threads: number | undefined;
  /** 0: the processor computes even where there is a GPU. */
  readonly gpuLayers: number | undefined;
  readonly keepAliveMs: number | undefined;
  /** File of a voice activity detector; undefined: all of the audio is listened to. */
  readonly voiceActivityModel?: string | undefined;
}

export interface WhisperEngineOptions {
  /** Shared with the other engines; outlives this one. */
  readonly pool: ModelPool;
  readonly threadBudget: ThreadBudget;
  /** The speech model of a canonical id; undefined when there is none (any more). */
  readonly findModel: (modelId: string) => SpeechModelSpec | undefined;
  /** Looks at a file, and tries it in a process of its own or remembers that it was tried. */
  readonly checkFile: (
    path: string,
    signal: AbortSignal,
  ) => Promise<
    | { readonly loadable: true }
    | { readonly loadable: false; readonly reason: string; readonly retryAtMs?: number }
  >;
  /** Transcriptions that may wait for one model. */
  readonly queueLimit: number;
  readonly queueTimeoutMs: number;
  readonly log: Log;
}

const smallModelBytes = 64 * 2 ** 20;

/** The speech engine: loads Whisper models when they are first asked for, and transcribes several audios at once. */
export class WhisperEngine implements SpeechEngine {
  readonly #options: WhisperEngineOptions;
  readonly #work = new RunningWork();
  readonly #closing = new AbortController();

  constructor(options: WhisperEngineOptions) {
    this.#options = options;
  }

  transcribe(
    request: TranscriptionRequest,
    signal: AbortSignal,
    onProgress: (progress: TranscriptionProgress) => void = () => undefined,
  ): Promise<TranscriptionEnd> {
    return this.#work.add(this.#serve(request, signal, onProgress), () => this.#closing.abort());
  }

  modelState(modelId: string): ModelState {
    return this.#options.pool.state(modelId);
  }

  /** Loads a model before anyone asks for it. Throws AppError like `transcribe`. */
  async preload(modelId: string, signal: AbortSignal = new AbortController().signal): Promise<void> {
    const lease = await this.#options.pool.acquire(this.#loadable(modelId), { signal });
    lease.release();
  }

  close(graceMs: number): Promise<void> {
    return this.#work.close(graceMs);
  }

  async #serve(
    request: TranscriptionRequest,
    leaving: AbortSignal,
    onProgress: (progress: TranscriptionProgress) => void,
  ): Promise<TranscriptionEnd> {
    let audioSeconds = 0;
    const signal = AbortSignal.any([leaving, this.#closing.signal]);
    try {
      if (this.#work.isClosed) throw shuttingDown();
      const use = { caller: request, signal };
      const lease = await this.#options.pool.acquire(this.#loadable(request.modelId), use);
      try {
        const transcript = await lease.model.run(request, signal, (progress) => {
          ({ audioSeconds } = progress);
          onProgress(progress);
        });
        audioSeconds = request.samples.length / sampleRateHz;
        return { outcome: 'finished', transcript, audioSeconds };
      } finally {
        lease.release();
      }
    } catch (cause) {
      if (leaving.aborted) return { outcome: 'aborted', audioSeconds };
      if (signal.aborted) return { outcome: 'failed', error: shuttingDown(), audioSeconds };
      return { outcome: 'failed', error: toAppError(cause), audioSeconds };
    }
  }

  /** Throws model_not_found. */
  #loadable(modelId: string): Loadable<LoadedSpeechModel> {
    const spec = this.#options.findModel(modelId);
    if (spec === undefined)
      throw new AppError('model_not_found', `The model '${modelId}' is gone.`, { param: 'model' });
    return {
      id: spec.id,
      keepAliveMs: spec.keepAliveMs,
      plan: async (budget, signal) => {
        addonFile();
        const verdict = await this.#options.checkFile(spec.path, signal);
        if (!verdict.loadable) throw new LoadRefusedError(verdict.reason, verdict.retryAtMs);
        const { voiceActivityModel } = spec;
        if (voiceActivityModel !== undefined && !isGgmlFile(voiceActivityModel))
          throw new Error('its voiceActivity is not a detector in the format of whisper.cpp');
        const { parallel, memory } = this.#fit(spec, budget);
        return {
          memory,
          remedy: 'Lower its parallel, take a smaller model, or raise the memory setting.',
          load: () => this.#load(spec, parallel, memory),
        };
      },
    };
  }

  /** As many transcriptions at a time as were asked for, there are cores for, and the budget has room for. */
  #fit(spec: SpeechModelSpec, budget: MemoryUse): { parallel: number; memory: MemoryUse } {
    const dimensions = readDimensions(spec.path);
    const fileBytes = statSync(spec.path).size;
    let parallel = Math.min(spec.parallel, this.#options.threadBudget.cores);
    let memory = estimateMemory(dimensions, fileBytes, parallel);
    while (parallel > 1 && !fitsInto(budget, memory)) {
      parallel--;
      memory = estimateMemory(dimensions, fileBytes, parallel);
    }
    return { parallel, memory };
  }

  async #load(spec: SpeechModelSpec, parallel: number, memory: MemoryUse): Promise<LoadedSpeechModel> {
    const { threadBudget, queueLimit, queueTimeoutMs, log } = this.#options;
    const startedAt = Date.now();
    // Before the weights: what throws behind them would leave them in memory.
    const threads = Math.min(
      spec.threads ?? defaultThreads(spec.path, threadBudget.cores),
      threadBudget.cores,
    );
    const native = await NativeSpeechModel.load(spec.path, { useGpu: spec.gpuLayers !== 0 });
    log.info({ model: spec.id, loadMs: Date.now() - startedAt, slots: parallel, threads }, 'model loaded');
    const { voiceActivityModel } = spec;
    return new LoadedSpeechModel({
      native,
      memory,
      threadBudget,
      threads,
      voiceActivityModel,
      parallel,
      queueLimit,
      queueTimeoutMs,
    });
  }
}

/** Threads of small models would wait for each other at every layer, for ever on a busy machine. */
function defaultThreads(path: string, cores: number): number {
  return statSync(path).size < smallModelBytes ? 1 : cores;
}

function toAppError(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError('engine_error', 'The model failed on this request. Try it again.', { cause });
}
