import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { DownloadError } from '../download/download-error.ts';
import type { ModelEntry } from '../model-entry.ts';
import { idOfFile } from '../model-shelf.ts';
import { pullRecordPath, readPullRecord } from './pulled-files.ts';
import type { CatalogModel } from '../types.ts';

/** The ids that a pull must not take. Plain data, because it is sent to the process that pulls. */
export interface PullNaming {
  /** The id that the configuration gives to the pulled model; undefined: the configuration does not mention it. */
  readonly configuredId?: string | undefined;
  readonly taken: readonly TakenName[];
}

interface TakenName {
  /** An id or an alias. */
  readonly name: string;
  /** File of the model that has it; undefined: a configured model whose file is not there yet. */
  readonly path?: string | undefined;
  readonly isConfigured: boolean;
}

/** The names that `models` and the configuration's `entries` have already when `source` is pulled. */
export function namingOf(
  source: string,
  models: readonly CatalogModel[],
  entries: readonly ModelEntry[],
): PullNaming {
  const pathOf = new Map(models.map(({ id, path }) => [id, path]));
  const configured = entries.flatMap(({ id, aliases = [] }) =>
    [id, ...aliases].map((name) => ({ name, path: pathOf.get(id), isConfigured: true })),
  );
  const names = new Set(configured.map(({ name }) => name));
  const others = models
    .filter(({ id }) => !names.has(id))
    .map(({ id, path }) => ({ name: id, path, isConfigured: false }));
  return {
    configuredId: entries.find((entry) => entry.source === source)?.id,
    taken: [...configured, ...others],
  };
}

/** Throws DownloadError when another model has the name that the one pulled to `path` would be served under. */
export function checkPulledId(
  path: string,
  chosenId: string | undefined,
  { configuredId, taken }: PullNaming,
): void {
  const ownId =
    configuredId ?? taken.find((entry) => entry.isConfigured && isSameFile(entry.path, path))?.name;
  if (ownId !== undefined) {
    if (chosenId === undefined || chosenId === ownId) return;
    throw new DownloadError(`the configuration serves this model as "${ownId}"`, {
      hint: 'change its id there',
    });
  }
  const id = chosenId ?? readPullRecord(pullRecordPath(path))?.id ?? idOfFile(basename(path));
  const holder = taken.find(({ name }) => name === id);
  if (holder === undefined || isSameFile(holder.path, path)) return;
  throw new DownloadError(`the id "${id}" is taken by ${holder.path ?? 'a configured model'}`, {
    hint: 'choose another one: --id NAME on the command line, "id" in a request to the server',
  });
}

function isSameFile(one: string | undefined, other: string): boolean {
  if (one === undefined) return false;
  if (one === other) return true;
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    // One of them is not there.
    return false;
  }
}
