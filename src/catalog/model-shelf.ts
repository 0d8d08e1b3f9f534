import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  inspectModelFile,
  type Inspection,
  type ModelFacts,
  type ProjectorFacts,
} from './files/model-file.ts';
import { findPulled, pullRecordPath, readPullRecord, type Pulled } from './pulls/pulled-files.ts';
import { scanFolder, statFile, type LeaveOut, type ScannedFile } from './scan-folder.ts';
import type { CatalogLog, Unserved } from './types.ts';
import { errorCodeOf } from '../words/describe-error.ts';

export interface ShelvedModel {
  /** The id that was chosen at the pull, else the file's name without its extension and the number of the part. */
  readonly id: string;
  readonly path: string;
  readonly realPath: string;
  /** Of all parts. */
  readonly sizeBytes: number;
  /** Of the newest part. */
  readonly mtimeMs: number;
  /** A text that changes with the content of any part. */
  readonly version: string;
  /** Facts of the first part, with the parameter count of all parts. */
  readonly facts: ModelFacts;
}

export interface ShelvedProjector extends Omit<ScannedFile, 'name' | 'mtimeMs'> {
  readonly facts: ProjectorFacts;
}

export interface ShelfContents {
  readonly models: readonly ShelvedModel[];
  readonly projectors: readonly ShelvedProjector[];
  /** Files that look like models, and folders that could not be looked into. */
  readonly unserved: readonly Unserved[];
}

export interface FolderContents extends ShelfContents {
  /** The error for which the folder cannot be read; undefined: it can. */
  readonly errorCode: string | undefined;
  /** True: nobody could look yet. */
  readonly isUnknown?: boolean;
}

/** The contents of all folders, the first folder's first; a file that two paths lead to is listed once. */
export function joinContents(folders: readonly ShelfContents[]): ShelfContents {
  const seen = new Set<string>();
  const isNew = ({ realPath }: { readonly realPath: string }) => !seen.has(realPath) && seen.add(realPath);
  return {
    models: folders.flatMap(({ models }) => models).filter(isNew),
    projectors: folders.flatMap(({ projectors }) => projectors).filter(isNew),
    unserved: folders.flatMap(({ unserved }) => unserved),
  };
}

interface Inspected {
  readonly version: string;
  readonly inspection: Inspection;
}

const partName = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/i;
const modelExtension = /\.(?:gguf|ggml|bin)$/i;
const maxParts = 1000;

/** The id that a model has by the name of its (first) file. */
export function idOfFile(name: string): string {
  return partName.exec(name)?.[1] ?? name.replace(modelExtension, '');
}

/** The answers of a shelf, whoever looks for them. */
export type Shelf = Pick<ModelShelf, keyof ModelShelf>;

/** Finds whole models in folders; files that did not change are not read again. */
export class ModelShelf {
  readonly #log: CatalogLog;
  readonly #inspected = new Map<string, Inspected>();
  /** Warnings that were written already, so that each is written once and not at every scan. */
  readonly #said = new Set<string>();

  constructor(log: CatalogLog) {
    this.#log = log;
  }

  /** The contents of `folder` and the folders in it. */
  scan(folder: string): FolderContents {
    const models: ShelvedModel[] = [];
    const projectors: ShelvedProjector[] = [];
    const unserved: Unserved[] = [];
    const leaveOut: LeaveOut = (path, reason) => {
      unserved.push({ name: path, reason });
      this.#skip(path, reason);
    };
    const { files, errorCode } = scanFolder(folder, leaveOut);
    for (const file of files) {
      const model = this.#assemble(file, leaveOut);
      if (model !== undefined) models.push(model);
      else projectors.push(...this.#projectorIn(file));
    }
    return { models, projectors, unserved, errorCode };
  }

  /** The projector at `path`; undefined when there is none. */
  openProjector(path: string): ShelvedProjector | undefined {
    const file = statFile(path, basename(path));
    return file === undefined ? undefined : this.#projectorIn(file)[0];
  }

  /** The model whose (first) file is at `path`; undefined when there is none that can be served. */
  open(path: string): ShelvedModel | undefined {
    const file = statFile(path, basename(path));
    return file === undefined ? undefined : this.#assemble(file);
  }

  /** A text that changes with the content of the file at `path`; undefined: there is none. */
  versionOf(path: string): string | undefined {
    return statFile(path, basename(path))?.version;
  }

  /** Names of the files in `folder`; none where it does not exist or cannot be read. */
  filesIn(folder: string): readonly string[] {
    try {
      return readdirSync(folder);
    } catch (error) {
      const code = errorCodeOf(error) ?? String(error);
      if (code !== 'ENOENT' && code !== 'ENOTDIR') this.warnOnce(folder, `it cannot be read (${code})`);
      return [];
    }
  }

  /** See `findPulled`. */
  findPulled(folder: string, key: string): Pulled | undefined {
    return findPulled(folder, key);
  }

  /** Writes one line about `path`, unless the same was written before. */
  warnOnce(path: string, message: string): void {
    const key = `${path}\0${message}`;
    if (this.#said.has(key)) return;
    this.#said.add(key);
    this.#log.warn({ path }, message);
  }

  readonly #skip: LeaveOut = (path, reason) => this.warnOnce(path, `skipped: ${reason}`);

  /** `leaveOut`: told why there is no model where one is meant to be. */
  #assemble(first: ScannedFile, leaveOut = this.#skip): ShelvedModel | undefined {
    const partMatch = partName.exec(first.name);
    if (partMatch !== null && partMatch[2] !== '00001') return undefined;
    const inspection = this.#inspect(first);
    if (inspection.outcome === 'skipped' && isMeantAsModel(first, inspection))
      leaveOut(first.path, inspection.reason);
    if (inspection.outcome !== 'model') return undefined;
    const { facts } = inspection;
    const whole = (base: string) => this.#joinParts(first, base, facts, leaveOut);
    if (facts.splitCount === 1) return whole(first.name.replace(modelExtension, ''));
    // The engine finds the parts by their names, so both the names and the contents must agree.
    const base = partMatch?.[1];
    if (base !== undefined && Number(partMatch?.[3]) === facts.splitCount && facts.splitIndex === 0)
      return whole(base);
    leaveOut(
      first.path,
      `a part of a split model whose name is not …-00001-of-${pad(facts.splitCount)}.gguf`,
    );
    return undefined;
  }

  #projectorIn(file: ScannedFile): readonly ShelvedProjector[] {
    const inspection = this.#inspect(file);
    if (inspection.outcome !== 'projector') return [];
    const { path, realPath, sizeBytes, version } = file;
    return [{ path, realPath, sizeBytes, version, facts: inspection.facts }];
  }

  #joinParts(
    first: ScannedFile,
    base: string,
    facts: ModelFacts,
    leaveOut: LeaveOut,
  ): ShelvedModel | undefined {
    let { sizeBytes, mtimeMs, version } = first;
    let { parameterCount } = facts;
    for (let number = 2; number <= Math.min(facts.splitCount, maxParts); number++) {
      const name = `${base}-${pad(number)}-of-${pad(facts.splitCount)}.gguf`;
      const part = statFile(join(dirname(first.path), name), name);
      const inspection = part === undefined ? undefined : this.#inspect(part);
      if (part === undefined || inspection?.outcome !== 'model') {
        leaveOut(first.path, `part ${number} of ${facts.splitCount} is missing or damaged`);
        return undefined;
      }
      sizeBytes += part.sizeBytes;
      mtimeMs = Math.max(mtimeMs, part.mtimeMs);
      version += `, ${part.version}`;
      parameterCount += inspection.facts.parameterCount;
    }
    const { path, realPath } = first;
    const id = chosenId(path) ?? base;
    return { id, path, realPath, sizeBytes, mtimeMs, version, facts: { ...facts, parameterCount } };
  }

  #inspect(file: ScannedFile): Inspection {
    const known = this.#inspected.get(file.path);
    if (known?.version === file.version) return known.inspection;
    const inspection = inspectModelFile(file.path);
    this.#inspected.set(file.path, { version: file.version, inspection });
    if (inspection.outcome === 'skipped') {
      if (isMeantAsModel(file, inspection)) this.#skip(file.path, inspection.reason);
      else this.#log.debug({ path: file.path }, `skipped: ${inspection.reason}`);
    }
    return inspection;
  }
}

type Skipped = Extract<Inspection, { outcome: 'skipped' }>;

const isMeantAsModel = ({ name }: ScannedFile, { isOther }: Skipped): boolean =>
  !isOther || modelExtension.test(name);

/** The id that was chosen when the model at `path` was pulled. */
function chosenId(path: string): string | undefined {
  return readPullRecord(pullRecordPath(path))?.id;
}

function pad(number: number): string {
  return String(number).padStart(5, '0');
}
