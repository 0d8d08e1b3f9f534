import type { LiveCatalog } from '../catalog/catalog.ts';
import { isDemo } from '../config/demo.ts';
import { DownloadError } from '../catalog/download/download-error.ts';
import type { PullTarget } from '../catalog/pulls/pull-target.ts';
import { versionToLoad, type CatalogModel } from '../catalog/types.ts';
import type { ModelMemory } from '../engine/pool/model-status.ts';
import { AppError } from '../errors/errors.ts';
import { can } from '../model-kinds.ts';
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
 * Keeps the models in memory and on the disk in step with the folders and the configuration while the server runs.
 * Pulls and preloads models as configured, and unloads models whose files have changed or are gone.
 */
export class ModelUpkeep {
  readonly #deps: ModelUpkeepDeps;
  readonly #stopping = new AbortController();
  /** Models that were preloaded, or whose preload was tried. */
  readonly #preloaded = new Set<string>();
  /** Models that are being preloaded since the start. */
  #awaited: ReadonlySet<string> = new Set();
  #timer: NodeJS.Timeout | undefined;
  #pulling: Promise<void> = Promise.resolve();

  constructor(deps: ModelUpkeepDeps) {
    this.#deps = deps;
  }

  /** Ids of the models that are being preloaded since the start. */
  get awaited(): readonly string[] {
    return [...this.#awaited];
  }

  start(): void {
    this.#awaited = this.#preload();
    this.#pulling = this.#pullPending();
    this.#timer = setInterval(() => {
      this.#look();
      this.#preload();
    }, lookEveryMs).unref();
  }

  /** Applies `change` to the catalog, then loads and unloads models accordingly. Throws errors of `change`. */
  follow(change: () => void): void {
    change();
    this.#look();
    this.#forgetFailures();
    this.#preload();
    this.#pulling = this.#pulling.then(() => this.#pullPending());
  }

  /** Resolves when no pull is under way any more. An interrupted pull is resumed at the next start. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort(new Error('the server is shutting down'));
    await this.#pulling;
  }

  #look(): void {
    const { catalog, models, log } = this.#deps;
    const { inMemory } = models;
    if (inMemory.length === 0) return;
    const served = new Map(catalog.list().map((model) => [model.id, versionToLoad(model)]));
    for (const id of inMemory) {
      const now = served.get(id);
      const { state, version } = models.status(id);
      // A model that is still being loaded is unloaded by a later look.
      if ((now !== undefined && now === version) || state !== 'loaded') continue;
      log.info({ model: id }, now === undefined ? 'model is gone' : 'model has changed');
      this.#preloaded.delete(id);
      models.unload(id);
    }
  }

  /** Lets models be loaded again that have failed, since the new configuration may have fixed the reason. */
  #forgetFailures(): void {
    const { catalog, models } = this.#deps;
    for (const { id } of catalog.list()) {
      if (models.status(id).state !== 'failed') continue;
      models.unload(id);
      this.#preloaded.delete(id);
    }
  }

  /** Starts all preloads that are due. The ids of the models; each leaves the set when its load has ended. */
  #preload(): ReadonlySet<string> {
    const { catalog, log } = this.#deps;
    const { signal } = this.#stopping;
    const loading = new Set<string>();
    for (const model of catalog.list()) {
      const { id } = model;
      if (!(model.settings.preload || this.#isDemoAlone(model)) || this.#preloaded.has(id)) continue;
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

  /** The demo loads in a second or two, and whoever just installed hearth asks it first. */
  #isDemoAlone(model: CatalogModel): boolean {
    return can(model, 'generate') && this.#deps.catalog.list().every(isDemo);
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

  /** Pulls all pending models, one after the other. Never rejects. */
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
