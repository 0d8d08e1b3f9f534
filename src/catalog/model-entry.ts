import type { ModelSettings } from './types.ts';

/** One entry of the configuration's `models`: a file from somewhere, or settings for a scanned one. */
export interface ModelEntry {
  readonly id: string;
  /** Path, `hf:Owner/Repo:QUANT` or URL; undefined: the file in a models folder that has this id. */
  readonly source?: string | undefined;
  /** What the file of an https source must hash to, in hex. */
  readonly sha256?: string | undefined;
  readonly ownedBy?: string | undefined;
  readonly aliases?: readonly string[] | undefined;
  /** undefined: as the chat template tells. */
  readonly reasoning?: boolean | undefined;
  readonly settings?: Partial<ModelSettings> | undefined;
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** What holds where the configuration says nothing. */
export const defaultModelSettings: ModelSettings = {
  contextTokens: undefined,
  parallel: 4,
  threads: undefined,
  gpuLayers: undefined,
  keepAliveMs: 30 * 60 * 1000,
  preload: false,
};

/** The configuration's models contradict each other; the message names both sides. */
export class CatalogConflictError extends Error {
  override readonly name = 'CatalogConflictError';
}

/** Throws CatalogConflictError when an id or alias is used twice among the entries. */
export function checkEntries(entries: readonly ModelEntry[]): void {
  const users = new Map<string, string>();
  const claim = (name: string, user: string): void => {
    const other = users.get(name);
    if (other !== undefined) {
      throw new CatalogConflictError(`models: "${name}" is used twice, as ${other} and as ${user}`);
    }
    users.set(name, user);
  };
  for (const { id } of entries) claim(id, `the id of a model`);
  for (const { id, aliases = [] } of entries) {
    for (const alias of aliases) claim(alias, `an alias of "${id}"`);
  }
}
