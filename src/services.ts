import os from 'node:os';
import { Accounts } from './accounts/accounts.ts';
import { Keys } from './accounts/keys.ts';
import { PlanBook } from './accounts/plan-book.ts';
import type { Clock } from './accounts/types.ts';
import { openCatalog, type LiveCatalog } from './catalog/catalog.ts';
import { inspectModelFile } from './catalog/files/model-file.ts';
import type { Config } from './config/types.ts';
import { CacheMemory } from './engine/llama/caches/cache-memory.ts';
import { LlamaEngine } from './engine/llama/llama-engine.ts';
import { memoryBudget } from './engine/llama/memory-budget.ts';
import { openLlama } from './engine/llama/native.ts';
import { createModelFileCheck } from './engine/model-check/remembered-load-check.ts';
import { ModelPool } from './engine/pool/model-pool.ts';
import { coresForModels, ThreadBudget } from './engine/queue/thread-budget.ts';
import type { ModelMemory } from './engine/types.ts';
import { WhisperEngine } from './engine/whisper/whisper-engine.ts';
import { openStore, type Store } from './store/store.ts';
import type { Log } from './telemetry/log.ts';
import { Metrics } from './telemetry/metrics.ts';

/** A failed load is not tried again for so long. */
const failureCoolDownMs = 30_000;
/** The openai client gives up after ten minutes: nobody should learn only then that it was in vain. */
export const queueTimeoutMs = 5 * 60_000;

/** What every way into hearth builds upon, with or without HTTP in front. */
export interface Services {
  readonly now: Clock;
  readonly metrics: Metrics;
  readonly store: Store;
  readonly plans: PlanBook;
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly catalog: LiveCatalog;
  /** What all engines keep their models in. */
  readonly pool: ModelPool;
  readonly models: ModelMemory;
  readonly engine: LlamaEngine;
  readonly speech: WhisperEngine;
  /** Lets running work finish for up to `graceMs`, then frees all models. */
  closeEngines(graceMs: number): Promise<void>;
  /** The same, and closes the store. */
  close(graceMs: number): Promise<void>;
}

/** Builds store, accounts, catalog and engine. Throws StoreError or CatalogConflictError. */
export async function openServices(config: Config, log: Log): Promise<Services> {
  const now: Clock = () => Date.now();
  const metrics = new Metrics();
  const store = openStore(config.databaseFile);
  const plans = new PlanBook(config.plans, now());
  const catalog = openCatalog({
    folders: config.modelsDirs,
    pulledFolder: config.pulledModelsDir,
    entries: config.models,
    log,
  });
  const checkFile = createModelFileCheck(store.modelChecks);
  const llama = await openLlama({ gpu: 'auto', maxThreads: os.availableParallelism(), log });
  const { models: budget, cacheBytes } = await memoryBudget(llama, config);
  log.info({ ...budget, cacheBytes }, 'memory for models');
  const cacheMemory = new CacheMemory(cacheBytes);
  const pool = new ModelPool({
    budget,
    loadTimeoutMs: config.loadTimeoutMs,
    failureCoolDownMs,
    queueLimit: config.queueLimit,
    log,
    observer: metrics,
  });
  const threadBudget = new ThreadBudget(coresForModels(llama.cpuMathCores));
  const engine = new LlamaEngine({
    llama,
    pool,
    findModel: (modelId) => {
      const model = catalog.find(modelId);
      if (model === undefined || model.kind === 'speech') return undefined;
      return { ...model.settings, id: model.id, kind: model.kind, path: model.path };
    },
    checkFile: (path, signal) => checkFile(path, { signal }),
    cacheMemory,
    targetGapMs: config.targetGapMs,
    observer: metrics,
    queueLimit: config.queueLimit,
    queueTimeoutMs,
    threadBudget,
    log,
  });
  const speech = new WhisperEngine({
    pool,
    threadBudget,
    findModel: (modelId) => {
      const model = catalog.find(modelId);
      return model?.kind === 'speech' ? { ...model.settings, id: model.id, path: model.path } : undefined;
    },
    checkFile: async (path, signal) => {
      // whisper.cpp trusts the sizes that a file names: they are compared with the file itself first.
      const inspection = inspectModelFile(path);
      if (inspection.outcome === 'model') return await checkFile(path, { signal });
      return { loadable: false, reason: inspection.reason };
    },
    queueLimit: config.queueLimit,
    queueTimeoutMs,
    log,
  });
  const closeEngines = async (graceMs: number) => {
    await Promise.all([engine.close(graceMs), speech.close(graceMs)]);
    await pool.close();
    await llama.dispose();
  };
  metrics.read({
    models: () =>
      // A file that is gone may still be in memory.
      [...new Set([...catalog.list().map(({ id }) => id), ...pool.inMemory])].map((id) => ({
        id,
        ...pool.status(id),
      })),
    memory: () => ({ ...pool.memory, cacheBytes: cacheMemory.usedBytes }),
  });
  return {
    now,
    metrics,
    store,
    plans,
    accounts: new Accounts({ store, plans, now }),
    keys: new Keys({ store, now }),
    catalog,
    pool,
    models: {
      get memory() {
        return pool.memory;
      },
      get inMemory() {
        return pool.inMemory;
      },
      status: (modelId) => pool.status(modelId),
      load: (modelId, signal) =>
        catalog.find(modelId)?.kind === 'speech'
          ? speech.preload(modelId, signal)
          : engine.preload(modelId, signal),
      unload: (modelId) => {
        const model = catalog.find(modelId);
        if (model !== undefined) checkFile.forget(model.path);
        pool.unload(modelId);
      },
    },
    engine,
    speech,
    closeEngines,
    async close(graceMs) {
      await closeEngines(graceMs);
      store.close();
    },
  };
}
