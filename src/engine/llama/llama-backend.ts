import { InsufficientMemoryError, type Llama } from 'node-llama-cpp';
import type { Log } from '../../telemetry/log.ts';
import { AnswerCompiler } from '../sandbox/answer-compiler.ts';
import { Sandbox } from '../sandbox/sandbox.ts';
import {
  mustBeLoadable,
  type FileCheck,
  type FileModelSpec,
  type ModelBackend,
  type ServedModel,
} from '../model-backend.ts';
import { DeviceFullError, type Loadable } from '../pool/loadable.ts';
import { loadModel } from './loading/load-model.ts';
import type { LoadOptions, TurnPreparation } from './loading/opening.ts';
import { plainSettings } from './plain/open-plain-model.ts';
import { stepperTrouble } from './native/stepper.ts';
import { openMediaFiles, type MediaFiles } from './media/media-files.ts';
import { chooseLoad, smallerSettings, waysToFit } from './loading/plan-load.ts';
import { projectorTrouble } from './native/projector.ts';
import { loadedAddonFile } from './native/loaded-addon-file.ts';

export interface LlamaBackendOptions extends Omit<LoadOptions, 'mediaFiles' | 'claim'> {
  readonly llama: Llama;
  readonly checkFile: FileCheck;
  readonly log: Log;
}

/** Runs GGUF models with llama.cpp in this process. */
export class LlamaBackend implements ModelBackend<FileModelSpec> {
  readonly #options: LlamaBackendOptions;
  readonly #preparation: TurnPreparation;
  readonly #mediaFiles: MediaFiles;

  constructor(options: LlamaBackendOptions) {
    this.#options = options;
    const sandbox = new Sandbox(loadedAddonFile(), options.log);
    this.#preparation = { sandbox, answers: new AnswerCompiler(sandbox) };
    this.#mediaFiles = openMediaFiles(options.log);
  }

  loadable(asked: FileModelSpec): Loadable<ServedModel> {
    const { llama, checkFile, log } = this.#options;
    const spec = stepperTrouble() === undefined ? asked : plainSettings(asked);
    return {
      id: spec.id,
      keepAliveMs: spec.keepAliveMs,
      plan: async (budget, signal) => {
        await mustBeLoadable(checkFile, spec.path, signal);
        if (spec.projectorPath !== undefined && projectorTrouble() === undefined)
          await mustBeLoadable(checkFile, spec.projectorPath, signal);
        const chosen = await chooseLoad(llama, spec, budget);
        return {
          memory: chosen.memory,
          contextTokens: chosen.contextTokens,
          place: chosen.place,
          remedy: waysToFit(chosen, spec),
          load: async (loadSignal, claim) => {
            try {
              const limits = { ...this.#options, ...this.#preparation, mediaFiles: this.#mediaFiles, claim };
              return await loadModel(llama, spec, chosen, limits, log, loadSignal);
            } catch (error) {
              if (!(error instanceof InsufficientMemoryError || error instanceof DeviceFullError))
                throw error;
              throw new DeviceFullError(`${error.message}. ${smallerSettings(spec)}`, { cause: error });
            }
          },
        };
      },
    };
  }

  async close(): Promise<void> {
    await this.#preparation.sandbox.close();
    await this.#mediaFiles.close();
  }
}
