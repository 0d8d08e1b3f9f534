import { dirname, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CatalogConflictError, defaultModelSettings, findNameClash, type ModelEntry } from './model-entry.ts';
import {
  mergeModels,
  type MachineSenses,
  type MergedModels,
  type MergeInput,
  type VerdictOf,
  type PendingModel,
} from './merge-models.ts';
import { joinContents, ModelShelf, type Shelf } from './model-shelf.ts';
import { WatchedShelf } from './watched-shelf.ts';
import { nearestNames } from '../words/nearest-names.ts';
import type { Catalog, CatalogLog, CatalogModel, ModelSettings, Unserved } from './types.ts';

export interface CatalogOptions {
  /** Looked into in this order: of two files with one id, the first folder's is served. */
  readonly folders: readonly string[];
  /** Where pulled files lie; looked into after `folders`. */
  readonly pulledFolder?: string | undefined;
  readonly entries: readonly ModelEntry[];
  readonly log: CatalogLog;
  /** Settings of models that have none of their own. */
  readonly defaults?: Partial<ModelSettings> | undefined;
  readonly verdictOf?: VerdictOf | undefined;
  /** By default all that models can. */
  readonly senses?: MachineSenses | undefined;
  /** Requests make the catalog look at the folders at most this often. */
  readonly rescanAfterMs?: number | undefined;
  /** Milliseconds; for tests. */
  readonly now?: (() => number) | undefined;
}

const defaultRescanAfterMs = 2000;
/** Folders that are followed are left alone this many times as long as a look takes, and at most so long. */
const idleShare = 20;
const maxPauseMs = 60_000;
const maxNearest = 3;

/** The models of `folders` and `entries`. New and removed files show at most two seconds late. */
export class LiveCatalog implements Catalog {
  readonly #folders: readonly string[];
  readonly #watched: WatchedShelf | undefined;
  readonly #shelf: Shelf;
  readonly #given: Pick<MergeInput, 'pulledFolder' | 'defaults' | 'verdictOf' | 'senses'>;
  readonly #rescanAfterMs: number;
  readonly #now: () => number;
  #entries: readonly ModelEntry[];
  #merged: MergedModels;
  #scannedAtMs: number;
  #lastLook: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** A catalog that follows its folders by itself and answers from memory: no slow folder holds anybody up. */
  static async follow(options: CatalogOptions): Promise<LiveCatalog> {
    const shelf = new WatchedShelf(options.log);
    const catalog = new LiveCatalog({ ...options, entries: [] }, shelf);
    try {
      await catalog.prepare(options.entries);
      catalog.configure(options.entries);
    } catch (error) {
      catalog.close();
      throw error;
    }
    void catalog.#goOn();
    return catalog;
  }

  /** `watched`: see `follow`. Throws CatalogConflictError when ids or aliases clash. */
  constructor(options: CatalogOptions, watched?: WatchedShelf) {
    this.#watched = watched;
    const { pulledFolder, verdictOf, senses = { projectors: true, speech: true } } = options;
    this.#given = {
      pulledFolder: pulledFolder === undefined ? undefined : resolve(pulledFolder),
      defaults: { ...defaultModelSettings, ...options.defaults },
      verdictOf,
      senses,
    };
    this.#folders = options.folders.map((folder) => resolve(folder));
    this.#shelf = watched ?? new ModelShelf(options.log);
    this.#rescanAfterMs = options.rescanAfterMs ?? defaultRescanAfterMs;
    this.#now = options.now ?? (() => performance.now());
    this.#entries = options.entries;
    this.#merged = this.#merge(options.entries, 'throw');
    this.#scannedAtMs = this.#now();
  }

  list(): readonly CatalogModel[] {
    this.#rescanWhenOld();
    return this.#merged.models;
  }

  find(idOrAlias: string): CatalogModel | undefined {
    const model = this.#merged.byName.get(idOrAlias);
    if (model !== undefined) return model;
    this.#rescanWhenOld();
    return this.#merged.byName.get(idOrAlias);
  }

  isPending(idOrAlias: string): boolean {
    const entry = this.#entries.find(
      ({ id, aliases = [] }) => id === idOrAlias || aliases.includes(idOrAlias),
    );
    return this.#merged.pending.some(({ id, pullable }) => pullable && id === entry?.id);
  }

  nearest(id: string): readonly string[] {
    return nearestNames(id, this.#merged.byName.keys(), maxNearest);
  }

  unserved(): readonly Unserved[] {
    return this.#merged.unserved;
  }

  /** Looks at the folders at once; files that did not change are not read again. */
  rescan(): void {
    this.#merged = this.#merge(this.#entries, 'warn');
    this.#scannedAtMs = this.#now();
  }

  /** Looks at the folders; where they are followed, while other work goes on. */
  async look(): Promise<void> {
    await this.#lookForNews();
    await this.prepare(this.#entries);
    this.rescan();
  }

  /** Has the next merge with `entries` know the files that they name; only where folders are followed. */
  async prepare(entries: readonly ModelEntry[]): Promise<void> {
    const shelf = this.#watched;
    if (shelf === undefined) return;
    // A pull is looked for first, then its file and its projector.
    for (let round = 0; round < 3; round++) {
      this.#merge(entries, 'warn', shelf.withoutWords);
      if (!shelf.isAskedNews) return;
      await this.#lookForNews();
    }
  }

  /** Names of the files in a folder beside models; none where it does not exist or does not answer. */
  async filesIn(folder: string): Promise<readonly string[]> {
    // Folders of which nothing is known are asked first.
    this.#shelf.filesIn(folder);
    await this.#lookForNews(dirname(folder));
    return this.#shelf.filesIn(folder);
  }

  close(): void {
    this.#isClosed = true;
    this.#watched?.close();
  }

  /** Replaces the configuration's entries. Throws CatalogConflictError on a clash, and then keeps the old ones. */
  configure(entries: readonly ModelEntry[]): void {
    this.#merged = this.#merge(entries, 'throw');
    this.#entries = entries;
    this.#scannedAtMs = this.#now();
  }

  /** Configured models that have no file yet. */
  pending(): readonly PendingModel[] {
    return this.#merged.pending;
  }

  /** Folders without a model, and the code of the error where one cannot be read. */
  emptyFolders(): readonly { readonly folder: string; readonly errorCode: string | undefined }[] {
    return this.#folders
      .map((folder) => ({ folder, ...this.#shelf.scan(folder) }))
      .filter(({ models, isUnknown }) => models.length === 0 && isUnknown !== true);
  }

  #rescanWhenOld(): void {
    if (this.#now() - this.#scannedAtMs >= this.#rescanAfterMs) this.rescan();
  }

  async #lookForNews(only?: string): Promise<void> {
    this.#lastLook = this.#lastLook.then(() => this.#watched?.look(only));
    await this.#lastLook;
  }

  async #goOn(): Promise<void> {
    while (!this.#isClosed) {
      const begunAtMs = performance.now();
      await this.#lookForNews();
      if (this.#watched?.hasNews === true) {
        this.#watched.hasNews = false;
        await this.prepare(this.#entries);
        this.rescan();
      }
      const pauseMs = Math.max(this.#rescanAfterMs, (performance.now() - begunAtMs) * idleShare);
      await setTimeout(Math.min(maxPauseMs, pauseMs), undefined, { ref: false });
    }
  }

  #merge(entries: readonly ModelEntry[], onClash: 'throw' | 'warn', shelf = this.#shelf): MergedModels {
    const clash = findNameClash(entries);
    if (clash !== undefined) throw new CatalogConflictError(`models: "${clash.name}" is used twice`);
    const folders = new Set([...this.#folders, this.#given.pulledFolder ?? []].flat());
    return mergeModels({
      ...this.#given,
      contents: joinContents([...folders].map((folder) => shelf.scan(folder))),
      shelf,
      entries,
      onClash,
    });
  }
}
