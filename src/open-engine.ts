import os from 'node:os';
import { inspectModelFile } from './catalog/files/model-file.ts';
import type { Catalog, CatalogModel } from './catalog/types.ts';
import type { Config } from './config/types.ts';
import type { FileEngineName } from './engine/file-engines.ts';
import { CacheMemory } from './engine/llama/caches/cache-memory.ts';
import { LlamaBackend } from './engine/llama/llama-backend.ts';
import { memoryBudget } from './engine/llama/memory-budget.ts';
import { openLlama } from './engine/llama/open-llama.ts';
import type { FileCheck, FileModelSpec, ModelBackend } from './engine/model-backend.ts';
import { createModelFileCheck, type VerdictStore } from './engine/model-check/remembered-load-check.ts';
import { ModelEngine } from './engine/model-engine.ts';
import { ModelPool } from './engine/pool/model-pool.ts';
import { coresForModels, ThreadBudget } from './engine/queue/thread-budget.ts';
import type { ModelMemory } from './engine/types.ts';
import { WhisperBackend } from './engine/whisper/whisper-backend.ts';
import type { Log } from './telemetry/log.ts';
import type { Metrics } from './telemetry/metrics.ts';

/** A failed load is not tried again for so long. */
const failureCoolDownMs = 30_000;
/** The openai client gives up after ten minutes: a request that waits in vain is to be told before. */
export const queueTimeoutMs = 5 * 60_000;

export interface EngineDeps {
  readonly config: Config;
  readonly catalog: Catalog;
  /** Where verdicts on model files are kept. */
  readonly verdicts: VerdictStore;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** The engine that serves the models of the catalog, and what it holds in memory. */
export interface OpenEngine {
  readonly engine: ModelEngine;
  readonly models: ModelMemory;
  /** Lets running work finish for up to `graceMs`, then frees all models. */
  close(graceMs: number): Promise<void>;
}

/** Opens the backends, and the engine that runs the models of the catalog with them. */
export async function openEngine(deps: EngineDeps): Promise<OpenEngine> {
  const { config, catalog, metrics, log } = deps;
  const checkFile = createModelFileCheck(deps.verdicts);
  const llama = await openLlama({ gpu: 'auto', maxThreads: os.availableParallelism(), log });
  const { models: budget, cacheBytes } = await memoryBudget(llama, config);
  log.info({ ...budget, cacheBytes }, 'memory for models');
  const cacheMemory = new CacheMemory(cacheBytes);
  const { queueLimit, loadTimeoutMs, targetGapMs } = config;
  const pool = new ModelPool({
    budget,
    loadTimeoutMs,
    failureCoolDownMs,
    queueLimit,
    log,
    observer: metrics,
  });
  const threadBudget = new ThreadBudget(coresForModels(llama.cpuMathCores));
  const shared = { threadBudget, queueLimit, queueTimeoutMs, log };
  const tryFile: FileCheck = (path, signal) => checkFile(path, { signal });
  const backends = {
    llama: new LlamaBackend({
      ...shared,
      llama,
      cacheMemory,
      targetGapMs,
      observer: metrics,
      checkFile: tryFile,
    }),
    whisper: new WhisperBackend({ ...shared, checkFile: afterInspection(tryFile) }),
  } satisfies Record<FileEngineName, ModelBackend<FileModelSpec>>;
  const engine = new ModelEngine({
    pool,
    findModel: (modelId) => {
      const model = catalog.find(modelId);
      return model && backends[model.engine].loadable(toSpec(model));
    },
  });
  metrics.read({
    // A model whose file is gone may still be in memory.
    models: () =>
      [...new Set([...catalog.list().map(({ id }) => id), ...pool.inMemory])].map((id) => ({
        id,
        ...pool.status(id),
      })),
    memory: () => ({ ...pool.memory, cacheBytes: cacheMemory.usedBytes }),
  });
  return {
    engine,
    models: modelMemory(pool, engine, (modelId) => {
      const model = catalog.find(modelId);
      if (model !== undefined) checkFile.forget(model.path);
    }),
    async close(graceMs) {
      await engine.close(graceMs);
      await Promise.all(
        Object.values(backends).map((backend: ModelBackend<FileModelSpec>) => backend.close?.()),
      );
      await pool.close();
      await llama.dispose();
    },
  };
}

const toSpec = ({ settings, id, kind, path }: CatalogModel): FileModelSpec => ({
  ...settings,
  id,
  kind,
  path,
});

/** whisper.cpp trusts the sizes that a file names, so they are compared with the file itself first. */
function afterInspection(check: FileCheck): FileCheck {
  return async (path, signal) => {
    const inspection = inspectModelFile(path);
    if (inspection.outcome === 'model') return await check(path, signal);
    return { loadable: false, reason: inspection.reason };
  };
}

/** `forgetVerdict` lets a file be tried again whose check did not end in time. */
function modelMemory(
  pool: ModelPool,
  engine: ModelEngine,
  forgetVerdict: (modelId: string) => void,
): ModelMemory {
  return {
    get memory() {
      return pool.memory;
    },
    get inMemory() {
      return pool.inMemory;
    },
    state: (modelId) => pool.state(modelId),
    status: (modelId) => pool.status(modelId),
    load: (modelId, signal) => engine.preload(modelId, signal),
    unload(modelId) {
      forgetVerdict(modelId);
      pool.unload(modelId);
    },
  };
}
