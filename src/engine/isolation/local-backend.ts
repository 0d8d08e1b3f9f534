import { statSync } from 'node:fs';
import { fileEngines, type EngineFileSpec, type FileBackendOptions } from '../file-engines.ts';
import type { FileEngineName } from '../file-formats.ts';
import type { FileModelSpec, ModelBackend, ServedModel } from '../model-backend.ts';
import { LoadRefusedError, type Loadable } from '../pool/loadable.ts';

/** Runs models in files in this process. The library of an engine is loaded with the first model that needs it. */
export class LocalBackend implements ModelBackend<EngineFileSpec> {
  readonly #options: FileBackendOptions;
  readonly #opened = new Map<FileEngineName, Promise<ModelBackend<FileModelSpec>>>();

  constructor(options: FileBackendOptions) {
    this.#options = options;
  }

  loadable(spec: EngineFileSpec): Loadable<ServedModel> {
    return {
      id: spec.id,
      keepAliveMs: spec.keepAliveMs,
      plan: async (budget, signal) => {
        const backend = await this.#open(spec.engine);
        const before = stateOfFiles(spec);
        const plan = await backend.loadable(spec).plan(budget, signal);
        return {
          ...plan,
          async load(loadSignal, claim) {
            const model = await plan.load(loadSignal, claim);
            if (stateOfFiles(spec) === before) return model;
            await model.dispose();
            throw new LoadRefusedError('its file was changed while it was being loaded');
          },
        };
      },
    };
  }

  async close(): Promise<void> {
    for (const backend of await Promise.all(this.#opened.values())) await backend.close?.();
    await this.#options.llama.dispose();
  }

  #open(engine: FileEngineName): Promise<ModelBackend<FileModelSpec>> {
    const backend = this.#opened.get(engine) ?? fileEngines[engine].open(this.#options);
    this.#opened.set(engine, backend);
    return backend;
  }
}

/** A text that changes with the content of the model's files. */
const stateOfFiles = ({ path, projectorPath, lora = [] }: EngineFileSpec): string =>
  [path, projectorPath ?? [], lora.map((adapter) => adapter.path)]
    .flat(2)
    .map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }))
    .map((stats) => `${stats?.ino} ${stats?.size} ${stats?.mtimeNs}`)
    .join();
