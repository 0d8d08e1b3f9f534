import type { EngineFileSpec } from '../file-engines.ts';
import type { FileEngineName } from '../file-formats.ts';
import type { ComputeDevices } from '../llama/open-llama.ts';
import { mustBeLoadable, type FileCheck, type ModelBackend, type ServedModel } from '../model-backend.ts';
import type { EngineObserver } from '../observer.ts';
import type { Loadable, LoadPlan } from '../pool/loadable.ts';
import type { MemoryBudget } from '../pool/memory-use.ts';
import type { CacheShares } from './cache-shares.ts';
import { IsolatedModel } from './isolated-model.ts';
import type { ProcessSettings } from './messages.ts';
import { startProcess, type ModelProcess } from './model-process.ts';

export interface IsolatedBackendOptions extends ProcessSettings {
  readonly cacheShares: CacheShares;
  readonly checks: Readonly<Record<FileEngineName, FileCheck>>;
  readonly observer?: EngineObserver | undefined;
}

/** Runs each model in a process of its own. When that crashes, only the requests of this model end with it. */
export class IsolatedBackend implements ModelBackend<EngineFileSpec> {
  readonly #options: IsolatedBackendOptions;
  readonly #running = new Set<ModelProcess>();

  constructor(options: IsolatedBackendOptions) {
    this.#options = options;
  }

  /** The bytes that caches of idle conversations take in all processes. */
  get cacheBytes(): number {
    return [...this.#running].reduce((sum, { status }) => sum + (status?.cacheBytes ?? 0), 0);
  }

  loadable(spec: EngineFileSpec): Loadable<ServedModel> {
    return {
      id: spec.id,
      keepAliveMs: spec.keepAliveMs,
      preload: spec.preload,
      loadsBesideOthers: true,
      plan: async (budget, signal) => {
        await mustBeLoadable(this.#options.checks[spec.engine], spec.path, signal);
        return await this.#plan(spec, budget, signal);
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running].map((process) => process.kill()));
  }

  /** The process that plans the load is the one that loads. */
  async #plan(
    spec: EngineFileSpec,
    budget: MemoryBudget,
    signal: AbortSignal,
  ): Promise<LoadPlan<ServedModel>> {
    const { cacheShares, observer } = this.#options;
    const process = startProcess(this.#options, (times) => observer?.generationEnded(spec.id, times));
    this.#running.add(process);
    const leaveShares =
      spec.engine === 'llama' ? cacheShares.join((bytes) => process.setCacheBytes(bytes)) : undefined;
    void process.ended.then(() => {
      this.#running.delete(process);
      leaveShares?.();
    });
    const discard = (): void => void process.kill();
    try {
      const planned = await process.call({ method: 'plan', spec, budget }, { signal });
      return {
        ...(planned as Omit<LoadPlan<ServedModel>, 'load' | 'discard'>),
        async load(loadSignal, claim) {
          process.claim = claim;
          await process.call({ method: 'load' }, { signal: loadSignal });
          return new IsolatedModel(process, spec.cachePlace !== undefined);
        },
        discard,
      };
    } catch (error) {
      discard();
      throw error;
    }
  }
}

/** The processors that llama.cpp can use on this machine, found out without loading it into this process. */
export async function askDevices(settings: ProcessSettings): Promise<ComputeDevices> {
  const process = startProcess(settings);
  try {
    return (await process.call({ method: 'devices' })) as ComputeDevices;
  } finally {
    await process.kill();
  }
}
