import os from 'node:os';
import { inspectModelFile } from './catalog/files/model-file.ts';
import type { Catalog } from './catalog/types.ts';
import type { Config } from './config/types.ts';
import type { FileEngineName } from './engine/file-engines.ts';
import { CacheMemory } from './engine/llama/caches/cache-memory.ts';
import { LlamaBackend } from './engine/llama/llama-backend.ts';
import { memoryBudget } from './engine/llama/memory-budget.ts';
import { openLlama, type Llama } from './engine/llama/open-llama.ts';
import type { FileCheck, FileModelSpec, ModelBackend } from './engine/model-backend.ts';
import type { ModelFileCheck } from './engine/model-check/remembered-load-check.ts';
import { ModelEngine } from './engine/model-engine.ts';
import { ModelPool } from './engine/pool/model-pool.ts';
import { coresForModels, ThreadBudget } from './engine/queue/thread-budget.ts';
import type { RemoteEngineName, RemoteModelSpec } from './engine/remote-engines.ts';
import type { ModelMemory } from './engine/types.ts';
import { UpstreamBackend } from './engine/upstream/upstream-backend.ts';
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
  readonly checkFile: ModelFileCheck;
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
  const { config, catalog, checkFile, metrics, log } = deps;
  const llama = await openLlama({ gpu: 'auto', maxThreads: os.availableParallelism(), log });
  const { models: budget, cacheBytes } = await memoryBudget(llama, config);
  log.info({ ...budget, cacheBytes }, 'memory for models');
  const cacheMemory = new CacheMemory(cacheBytes);
  const { queueLimit, loadTimeoutMs } = config;
  const pool = new ModelPool({
    budget,
    loadTimeoutMs,
    failureCoolDownMs,
    queueLimit,
    log,
    observer: metrics,
  });
  const threadBudget = new ThreadBudget(coresForModels(llama.cpuMathCores));
  const backends = openBackends({ ...deps, llama, cacheMemory, threadBudget }, (path, signal) =>
    checkFile(path, { signal }),
  );
  const remotes = openRemoteBackends(deps);
  const engine = new ModelEngine({
    pool,
    findModel: (modelId) => {
      const model = catalog.find(modelId);
      if (model === undefined) return undefined;
      const { settings, id, kind, path, remote } = model;
      if (remote !== undefined)
        return remotes[remote.engine].loadable({ ...settings, id, kind, spec: remote.spec });
      if (path === undefined || model.engine === undefined) return undefined;
      return backends[model.engine].loadable({ ...settings, id, kind, path });
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
      if (model?.path !== undefined) checkFile.forget(model.path);
    }),
    async close(graceMs) {
      await engine.close(graceMs);
      for (const backend of Object.values(backends)) await backend.close?.();
      await pool.close();
      await llama.dispose();
    },
  };
}

interface BackendDeps extends EngineDeps {
  readonly llama: Llama;
  readonly cacheMemory: CacheMemory;
  readonly threadBudget: ThreadBudget;
}

/** What runs models from files, each engine in one row. */
function openBackends(
  { config, metrics, log, llama, cacheMemory, threadBudget }: BackendDeps,
  checkFile: FileCheck,
): Readonly<Record<FileEngineName, ModelBackend<FileModelSpec>>> {
  const { queueLimit, targetGapMs } = config;
  const shared = { threadBudget, queueLimit, queueTimeoutMs, log };
  return {
    llama: new LlamaBackend({ ...shared, llama, cacheMemory, targetGapMs, observer: metrics, checkFile }),
    whisper: new WhisperBackend({ ...shared, checkFile: afterInspection(checkFile) }),
  };
}

/** What has models run elsewhere, each engine in one row. */
function openRemoteBackends({ config: { queueLimit }, metrics, log }: EngineDeps): {
  readonly [Name in RemoteEngineName]: ModelBackend<RemoteModelSpec<Name>>;
} {
  return { upstream: new UpstreamBackend({ queueLimit, queueTimeoutMs, log, observer: metrics }) };
}

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
