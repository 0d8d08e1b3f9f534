import { resolve } from 'node:path';
import { CatalogConflictError, defaultModelSettings, findNameClash, type ModelEntry } from './model-entry.ts';
import {
  mergeModels,
  type MachineSenses,
  type MergedModels,
  type ModelFindingsOf,
  type PendingModel,
} from './merge-models.ts';
import { ModelShelf } from './model-shelf.ts';
import { nearestNames } from '../words/nearest-names.ts';
import type { Catalog, CatalogLog, CatalogModel, ModelSettings } from './types.ts';

export interface CatalogOptions {
  /** Looked into in this order: of two files with one id, the first folder's is served. */
  readonly folders: readonly string[];
  /** Where pulled files lie; looked into after `folders`. */
  readonly pulledFolder?: string | undefined;
  readonly entries: readonly ModelEntry[];
  readonly log: CatalogLog;
  /** Settings of models that have none of their own. */
  readonly defaults?: Partial<ModelSettings> | undefined;
  readonly findings?: ModelFindingsOf | undefined;
  /** By default all that models can. */
  readonly senses?: MachineSenses | undefined;
  /** Requests make the catalog look at the folders at most this often. */
  readonly rescanAfterMs?: number | undefined;
  /** Milliseconds; for tests. */
  readonly now?: (() => number) | undefined;
}

const defaultRescanAfterMs = 2000;
const maxNearest = 3;

/**
 * The catalog of everything in `folders` and `entries`. New and removed files show in the next `list()`, and in the next
 * `find()` that would find nothing, at most two seconds late.
 */
export class LiveCatalog implements Catalog {
  readonly #folders: readonly string[];
  readonly #pulledFolder: string | undefined;
  readonly #shelf: ModelShelf;
  readonly #defaults: ModelSettings;
  readonly #findings: ModelFindingsOf | undefined;
  readonly #senses: MachineSenses;
  readonly #rescanAfterMs: number;
  readonly #now: () => number;
  #entries: readonly ModelEntry[];
  #merged: MergedModels;
  #scannedAtMs: number;

  /** Throws CatalogConflictError when ids or aliases clash. */
  constructor(options: CatalogOptions) {
    this.#pulledFolder = options.pulledFolder === undefined ? undefined : resolve(options.pulledFolder);
    this.#folders = options.folders.map((folder) => resolve(folder));
    this.#shelf = new ModelShelf(options.log);
    this.#defaults = { ...defaultModelSettings, ...options.defaults };
    this.#findings = options.findings;
    this.#senses = options.senses ?? { projectors: true, speech: true };
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

  /** Looks at the folders at once; files that did not change are not read again. */
  rescan(): void {
    this.#merged = this.#merge(this.#entries, 'warn');
    this.#scannedAtMs = this.#now();
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

  #rescanWhenOld(): void {
    if (this.#now() - this.#scannedAtMs >= this.#rescanAfterMs) this.rescan();
  }

  #merge(entries: readonly ModelEntry[], onClash: 'throw' | 'warn'): MergedModels {
    const clash = findNameClash(entries);
    if (clash !== undefined) throw new CatalogConflictError(`models: "${clash.name}" is used twice`);
    const folders = [...this.#folders, ...(this.#pulledFolder === undefined ? [] : [this.#pulledFolder])];
    return mergeModels({
      contents: this.#shelf.scan(folders),
      shelf: this.#shelf,
      entries,
      pulledFolder: this.#pulledFolder,
      defaults: this.#defaults,
      findings: this.#findings,
      senses: this.#senses,
      onClash,
    });
  }
}
