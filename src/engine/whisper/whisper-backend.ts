import { statSync } from 'node:fs';
import type { Log } from '../../telemetry/log.ts';
import {
  mustBeLoadable,
  mustHaveOwnSettings,
  type FileCheck,
  type FileModelSpec,
  type ModelBackend,
  type ServedModel,
} from '../model-backend.ts';
import type { Loadable } from '../pool/loadable.ts';
import { fitsInto, type MemoryUse } from '../pool/memory-use.ts';
import type { ThreadBudget } from '../queue/thread-budget.ts';
import { addonFile, isAddonForGpu } from './addon/addon-file.ts';
import { loadSpeechModel } from './addon/native.ts';
import { LoadedSpeechModel } from './loaded-speech-model.ts';
import { estimateMemory, isGgmlFile, readDimensions } from './model-file.ts';

export interface WhisperBackendOptions {
  readonly threadBudget: ThreadBudget;
  readonly checkFile: FileCheck;
  /** Transcriptions that may wait for one model. */
  readonly queueLimit: number;
  readonly queueTimeoutMs: number;
  readonly log: Log;
}

/** Where a model computes, and the memory that it takes there. */
interface SpeechPlace {
  /** Transcriptions at a time. */
  readonly parallel: number;
  readonly onGpu: boolean;
  readonly memory: MemoryUse;
}

const remedy = 'Lower its parallel, take a smaller model, or raise the memory setting.';
const smallModelBytes = 64 * 2 ** 20;

/** Runs Whisper models with whisper.cpp in this process, several transcriptions at once. */
export class WhisperBackend implements ModelBackend<FileModelSpec> {
  readonly #options: WhisperBackendOptions;

  constructor(options: WhisperBackendOptions) {
    this.#options = options;
  }

  loadable(spec: FileModelSpec): Loadable<ServedModel> {
    return {
      id: spec.id,
      keepAliveMs: spec.keepAliveMs,
      plan: async (budget, signal) => {
        addonFile();
        mustHaveOwnSettings(spec);
        await mustBeLoadable(this.#options.checkFile, spec.path, signal);
        const { voiceActivityModel } = spec;
        if (voiceActivityModel !== undefined && !isGgmlFile(voiceActivityModel))
          throw new Error('its voiceActivity is not a detector in the format of whisper.cpp');
        const place = this.#fit(spec, budget);
        return { memory: place.memory, remedy, load: () => this.#load(spec, place) };
      },
    };
  }

  /**
   * On the GPU where it may be there and fits into the budget, else on the processor, with as many transcriptions at a time as
   * the settings, the cores and the budget allow.
   */
  #fit(spec: FileModelSpec, budget: MemoryUse): SpeechPlace {
    const dimensions = readDimensions(spec.path);
    const fileBytes = statSync(spec.path).size;
    const placeOf = (parallel: number, onGpu: boolean): SpeechPlace => ({
      parallel,
      onGpu,
      memory: estimateMemory(dimensions, fileBytes, parallel, onGpu),
    });
    const most = Math.min(spec.parallel, this.#options.threadBudget.cores);
    for (const onGpu of spec.gpuLayers !== 0 && isAddonForGpu() ? [true, false] : [false])
      for (let parallel = most; parallel > 0; parallel--) {
        const place = placeOf(parallel, onGpu);
        if (fitsInto(budget, place.memory)) return place;
      }
    return placeOf(1, false);
  }

  async #load(spec: FileModelSpec, { parallel, memory, onGpu }: SpeechPlace): Promise<LoadedSpeechModel> {
    const { threadBudget, log } = this.#options;
    const startedAt = Date.now();
    // Before the weights are loaded, since an error after that would leave them in memory.
    const threads = Math.min(
      spec.threads ?? defaultThreads(spec.path, threadBudget.cores),
      threadBudget.cores,
    );
    const native = await loadSpeechModel(spec.path, { useGpu: onGpu });
    log.info({ model: spec.id, loadMs: Date.now() - startedAt, slots: parallel, threads }, 'model loaded');
    const { voiceActivityModel } = spec;
    return new LoadedSpeechModel({ ...this.#options, native, memory, threads, voiceActivityModel, parallel });
  }
}

/** 1 for a small model: several threads would wait for each other at every layer. */
function defaultThreads(path: string, cores: number): number {
  return statSync(path).size < smallModelBytes ? 1 : cores;
}
