import { inspectModelFile } from '../catalog/files/model-file.ts';
import { versionToLoad, type Catalog, type CatalogModel } from '../catalog/types.ts';
import type { Config } from '../config/types.ts';
import { fileEngines, forEachFileEngine, type EngineFileSpec } from '../engine/file-engines.ts';
import { CacheShares } from '../engine/isolation/cache-shares.ts';
import { askDevices, IsolatedBackend } from '../engine/isolation/isolated-backend.ts';
import type { ProcessSettings } from '../engine/isolation/messages.ts';
import { LoadPlanner } from '../engine/isolation/load-planner.ts';
import { CacheMemory } from '../engine/llama/caches/cache-memory.ts';
import { isolationFor } from '../engine/llama/gpu/gpu-packages.ts';
import { LazyLlama } from '../engine/llama/lazy-llama.ts';
import {
  cacheBytesThatFit,
  availableBytes,
  machineBytes,
  memoryBudget,
} from '../engine/llama/loading/memory-budget.ts';
import { LocalBackend } from '../engine/isolation/local-backend.ts';
import { placeOfModel } from '../engine/llama/cache-files/sweep-caches.ts';
import type {
  CacheFilePlace,
  FileCheck,
  Isolation,
  ModelBackend,
  ServedModel,
} from '../engine/model-backend.ts';
import type { ModelFileCheck } from '../engine/model-check/remembered-load-check.ts';
import { ModelEngine } from '../engine/model-engine.ts';
import { LoadRefusedError, type Loadable } from '../engine/pool/loadable.ts';
import { toFailure } from '../engine/pool/load-failure.ts';
import { ModelPool } from '../engine/pool/model-pool.ts';
import { coresForModels, ThreadBudget } from '../engine/queue/thread-budget.ts';
import { PlannedLoads } from './planned-loads.ts';
import { can } from '../model-kinds.ts';
import { UpstreamBackend } from '../engine/upstream/upstream-backend.ts';
import type { ModelMemory } from '../engine/pool/model-status.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Time in which a failed load is not tried again. */
const failureCoolDownMs = 30_000;
/** The openai client gives up after ten minutes: a request that waits in vain is to be told before. */
export const queueTimeoutMs = 5 * 60_000;

export interface EngineDeps {
  readonly config: Config;
  readonly catalog: Catalog;
  readonly checkFile: ModelFileCheck;
  /** Where models that are set to do so keep caches in files; undefined: none does. */
  readonly cacheFiles?: CacheFilePlace | undefined;
  readonly metrics: Metrics;
  readonly log: Log;
}

export interface OpenEngine {
  readonly engine: ModelEngine;
  readonly models: ModelMemory;
  /** Lets running work finish for up to `graceMs`, then frees all models. */
  close(graceMs: number): Promise<void>;
}

/** Opens the backends, and the engine that runs the models of the catalog with them. */
export async function openEngine(deps: EngineDeps): Promise<OpenEngine> {
  const { config, catalog, metrics, log } = deps;
  const { queueLimit, loadTimeoutMs, logLevel, targetGapMs } = config;
  const llama = new LazyLlama(log);
  const settings = { logLevel, gpu: 'auto', mathCores: 1, targetGapMs, queueLimit, queueTimeoutMs } as const;
  // Where models run in processes of their own, this one need not load llama.cpp to ask it for the machine's devices.
  const devices = await (isolationFor(config.isolation) === 'process'
    ? askDevices(settings)
    : llama.devices());
  const { models: budget, cacheBytes } = memoryBudget(devices, config);
  log.debug({ ...budget, cacheBytes }, 'memory for models');
  const pool = new ModelPool({
    budget,
    loadTimeoutMs,
    failureCoolDownMs,
    queueLimit,
    log,
    observer: metrics,
  });
  const gpu = devices.gpu !== undefined && 'auto';
  const mathCores = coresForModels(devices.mathCores);
  const backends = openFileBackends(deps, { ...settings, gpu, mathCores }, llama, cacheBytes);
  const elsewhere = new UpstreamBackend({ queueLimit, queueTimeoutMs, log, observer: metrics });
  const loadableOf = (model: CatalogModel): Loadable<ServedModel> | undefined => {
    const { settings: own, id, upstream } = model;
    if (upstream !== undefined) return elsewhere.loadable({ ...own, id, spec: upstream });
    const spec = specOf(model, deps.cacheFiles);
    return spec && backends[own.isolation ?? 'none'].loadable(spec);
  };
  const engine = new ModelEngine({
    pool,
    findModel: (modelId) => {
      const model = catalog.find(modelId);
      const loadable = model && loadableOf(model);
      return loadable && { ...loadable, version: () => versionToLoad(model) };
    },
  });
  const isGivingWay = config.cacheMemoryBytes === undefined && process.platform !== 'darwin';
  const stopGivingWay = isGivingWay ? giveWay(backends, cacheBytes) : undefined;
  const planner = new LoadPlanner({ ...settings, gpu, mathCores }, budget);
  const models = modelMemory(pool, engine, deps, planner);
  readMetrics(deps, models, () => backends.cacheBytes);
  return {
    engine,
    models,
    async close(graceMs) {
      stopGivingWay?.();
      await planner.close();
      await engine.close(graceMs);
      await pool.close();
      await backends.process.close();
      await backends.none.close();
    },
  };
}

/** Has the metrics tell the state of all models, and the memory that they and the caches of idle conversations take. */
function readMetrics({ metrics, catalog }: EngineDeps, models: ModelMemory, cacheBytes: () => number): void {
  metrics.read({
    // A model whose file is gone may still be in memory.
    models: () =>
      [...new Set([...catalog.list().map(({ id }) => id), ...models.inMemory])].map((id) => ({
        id,
        ...models.status(id),
      })),
    memory: () => ({ ...models.memory, cacheBytes: cacheBytes() }),
  });
}

/** The backends for models in files, by the process that they run them in. */
interface FileBackends extends Readonly<Record<Isolation, ModelBackend<EngineFileSpec>>> {
  readonly none: LocalBackend;
  readonly process: IsolatedBackend;
  /** The bytes that caches of idle conversations take. */
  readonly cacheBytes: number;
  /** Changes how much they may take. */
  resizeCaches(bytes: number): void;
}

const lookAtMemoryMs = 2000;

/**
 * Has caches take less while other programs need the machine's memory, until the function that comes back is called. Not
 * for macOS, which calls memory free only when nothing was ever in it.
 */
function giveWay(backends: FileBackends, mostBytes: number): () => void {
  const timer = setInterval(() => {
    const machine = {
      usedBytes: backends.cacheBytes,
      freeBytes: availableBytes(),
      totalBytes: machineBytes(),
    };
    backends.resizeCaches(cacheBytesThatFit(mostBytes, machine));
  }, lookAtMemoryMs).unref();
  return () => clearInterval(timer);
}

function openFileBackends(
  { checkFile, metrics: observer, log }: EngineDeps,
  settings: ProcessSettings,
  llama: LazyLlama,
  cacheBytes: number,
): FileBackends {
  const cacheMemory = new CacheMemory(0);
  const cacheShares = new CacheShares(cacheBytes);
  const check: FileCheck = (path, signal) => checkFile(path, { signal });
  const inspected = afterInspection(check);
  const checks = forEachFileEngine((name) => (fileEngines[name].trustsSizes ? inspected : check));
  const none = new LocalBackend({
    ...settings,
    llama,
    openCacheMemory() {
      cacheShares.join((bytes) => cacheMemory.resize(bytes));
      return cacheMemory;
    },
    threadBudget: new ThreadBudget(settings.mathCores),
    checks,
    observer,
    log,
  });
  const isolated = new IsolatedBackend({ ...settings, cacheShares, checks, observer });
  return {
    none,
    process: isolated,
    get cacheBytes() {
      return cacheMemory.usedBytes + isolated.cacheBytes;
    },
    resizeCaches: (bytes) => cacheShares.resize(bytes),
  };
}

/** Has a file inspected before `check` tries it. */
function afterInspection(check: FileCheck): FileCheck {
  return async (path, signal) => {
    const inspection = inspectModelFile(path);
    if (inspection.outcome === 'model') return await check(path, signal);
    const reason = inspection.outcome === 'projector' ? 'it is a projector' : inspection.reason;
    return { loadable: false, reason };
  };
}

/** How the model's file is loaded; undefined: it has none here. */
function specOf(
  { settings, id, kind, path, engine, projector }: CatalogModel,
  cacheFiles?: CacheFilePlace,
): EngineFileSpec | undefined {
  if (path === undefined || engine === undefined) return undefined;
  const cachePlace = settings.cacheFile === true ? cacheFiles && placeOfModel(cacheFiles, id) : undefined;
  return { ...settings, path, projectorPath: projector?.path, cachePlace, id, kind, engine };
}

/** How long a listing waits for facts of a load that nobody knows yet. */
const planPatienceMs = 3000;

function modelMemory(
  pool: ModelPool,
  engine: ModelEngine,
  { catalog, checkFile }: Pick<EngineDeps, 'catalog' | 'checkFile'>,
  planner: LoadPlanner,
): ModelMemory {
  const planned = new PlannedLoads(async (model) => {
    const spec = specOf(model);
    return spec && (await planner.needsOf(spec));
  });
  const { vramBytes } = pool.memory.budget;
  /** Whether the memory that models may take decides upon its context, or upon its place. */
  const isWorthPlanning = (model: CatalogModel) =>
    (model.settings.contextTokens === undefined || vramBytes > 0) &&
    (can(model, 'embed') || can(model, 'rank'));
  /** The failure of a model of which the pool knows nothing, and whose file was refused when it was last tried. */
  const refusalOf = (model: CatalogModel | undefined) => {
    // The file's verdict is asked for last: it may have to be read.
    if (model === undefined || pool.state(model.id) !== 'available' || model.refusal === undefined)
      return undefined;
    const { message } = toFailure(model.id, new LoadRefusedError(model.refusal));
    return { state: 'failed', error: message } as const;
  };
  return {
    get memory() {
      return pool.memory;
    },
    get inMemory() {
      return pool.inMemory;
    },
    state: (modelId) => refusalOf(catalog.find(modelId))?.state ?? pool.state(modelId),
    status(modelId) {
      const status = pool.status(modelId);
      const model = catalog.find(modelId);
      return {
        ...status,
        ...refusalOf(model),
        next: (model && planned.needsOf(model)) ?? status.next,
      };
    },
    async findNeeds(modelIds) {
      const unknown = modelIds.filter((id) => pool.status(id).contextTokens === undefined);
      const models = unknown.map((id) => catalog.find(id)).filter((model) => model !== undefined);
      await planned.find(models.filter(isWorthPlanning), planPatienceMs);
    },
    load: (modelId, signal) => engine.preload(modelId, signal),
    unload(modelId) {
      const path = catalog.find(modelId)?.path;
      if (path !== undefined) checkFile.forget(path);
      pool.unload(modelId);
    },
  };
}
