import type { LiveCatalog } from '../catalog/catalog.ts';
import { DownloadError } from '../catalog/download/download-error.ts';
import type { PullTarget } from '../catalog/pulls/pull-target.ts';
import type { CatalogModel } from '../catalog/types.ts';
import type { ModelMemory } from '../engine/types.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../telemetry/log.ts';

export interface ModelUpkeepDeps {
  readonly catalog: Pick<LiveCatalog, 'list' | 'pending'>;
  readonly models: Pick<ModelMemory, 'inMemory' | 'status' | 'load' | 'unload'>;
  /** Resolves when the model is on the disk and in the catalog. */
  readonly pull: (target: PullTarget, signal: AbortSignal) => Promise<unknown>;
  readonly log: Log;
}

/** How often the files of the models in memory are looked at. */
const lookEveryMs = 5000;

/**
 * Keeps what is in memory and on the disk in step with the folders and the configuration while the server runs: pulls
 * and preloads what is configured so, and frees models that have changed or are gone as soon as they are idle.
 */
export class ModelUpkeep {
  readonly #deps: ModelUpkeepDeps;
  readonly #stopping = new AbortController();
  /** Of the models in memory: what they were loaded from and how. */
  readonly #loadedAs = new Map<string, string>();
  /** Models that need not be preloaded again. */
  readonly #preloaded = new Set<string>();
  /** Models whose preload at the start has not ended. */
  #awaited: ReadonlySet<string> = new Set();
  #timer: NodeJS.Timeout | undefined;
  #pulling: Promise<void> = Promise.resolve();

  constructor(deps: ModelUpkeepDeps) {
    this.#deps = deps;
  }

  /** Models that should be there from the start and are still being loaded. */
  get awaited(): readonly string[] {
    return [...this.#awaited];
  }

  start(): void {
    this.#awaited = this.#preload();
    this.#pulling = this.#pullPending();
    this.#timer = setInterval(() => this.#look(), lookEveryMs).unref();
  }

  /** Makes `change` to the catalog and follows it. What `change` throws is thrown. */
  follow(change: () => void): void {
    this.#look();
    change();
    this.#look();
    this.#forgetFailures();
    this.#preload();
    this.#pulling = this.#pulling.then(() => this.#pullPending());
  }

  /** Resolves when no pull is under way any more; one that was cut short goes on at the next start. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort(new Error('the server is shutting down'));
    await this.#pulling;
  }

  #look(): void {
    const { catalog, models, log } = this.#deps;
    const { inMemory } = models;
    for (const id of this.#loadedAs.keys()) if (!inMemory.includes(id)) this.#loadedAs.delete(id);
    if (inMemory.length === 0) return;
    const served = new Map(catalog.list().map((model) => [model.id, toFingerprint(model)]));
    for (const id of inMemory) {
      const now = served.get(id);
      const before = this.#loadedAs.get(id) ?? now;
      if (before !== undefined) this.#loadedAs.set(id, before);
      // One that is still being loaded is let finish: the next look frees it.
      if ((now !== undefined && now === before) || models.status(id).state !== 'loaded') continue;
      log.info({ model: id }, now === undefined ? 'model is gone' : 'model has changed');
      this.#loadedAs.delete(id);
      this.#preloaded.delete(id);
      models.unload(id);
    }
  }

  /** What kept a model from being loaded may be mended now. */
  #forgetFailures(): void {
    const { catalog, models } = this.#deps;
    for (const { id } of catalog.list()) {
      if (models.status(id).state !== 'failed') continue;
      models.unload(id);
      this.#preloaded.delete(id);
    }
  }

  /** Begins what is not preloaded yet; those ids, each of which leaves the set when its load has ended. */
  #preload(): ReadonlySet<string> {
    const { catalog, log } = this.#deps;
    const { signal } = this.#stopping;
    const loading = new Set<string>();
    for (const { id, settings } of catalog.list()) {
      if (!settings.preload || this.#preloaded.has(id)) continue;
      this.#preloaded.add(id);
      loading.add(id);
      void this.#load(id)
        .catch((err: unknown) => {
          if (!signal.aborted) log.error({ model: id, err }, 'preload failed');
        })
        .finally(() => loading.delete(id));
    }
    return loading;
  }

  /** Resolves when the model is in memory, however long that takes. */
  async #load(id: string): Promise<void> {
    const { signal } = this.#stopping;
    while (true) {
      try {
        await this.#deps.models.load(id, signal);
        return;
      } catch (error) {
        const goesOn = error instanceof AppError && error.code === 'model_loading' && !signal.aborted;
        if (!goesOn) throw error;
      }
    }
  }

  /** One after the other; never rejects. */
  async #pullPending(): Promise<void> {
    const { catalog, pull, log } = this.#deps;
    const { signal } = this.#stopping;
    for (const { id, source, sha256, pullable } of catalog.pending()) {
      if (!pullable || source === undefined || signal.aborted) continue;
      log.info({ model: id }, 'pulling a configured model');
      try {
        await pull({ source, sha256 }, signal);
        log.info({ model: id }, 'pulled');
      } catch (err) {
        const fields = err instanceof DownloadError ? err.toLogFields() : { err };
        if (!signal.aborted) log.error({ model: id, ...fields }, 'pull failed');
      }
      this.#preload();
    }
  }
}

/** What stays the same as long as a model in memory need not be loaded anew. */
function toFingerprint({ path, sizeBytes, createdAtSeconds, settings }: CatalogModel): string {
  const { keepAliveMs: _keepAliveMs, preload: _preload, ...loading } = settings;
  return JSON.stringify({ path, sizeBytes, createdAtSeconds, loading });
}
