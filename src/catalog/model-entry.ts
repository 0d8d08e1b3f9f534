import type { UpstreamSpec } from '../engine/upstream/upstream-spec.ts';
import type { ModelKind } from '../model-kinds.ts';
import type { ModelSettings, RequestDefaults } from './types.ts';

/** One entry of the configuration's `models`: a file from somewhere, or settings for a scanned one. */
export interface ModelEntry {
  readonly id: string;
  /** Path, `hf:Owner/Repo:QUANT` or URL; undefined: the file in a models folder that has this id. */
  readonly source?: string | undefined;
  /** Where it runs, if it has no file here; then `kind` says what it can do. */
  readonly upstream?: UpstreamSpec | undefined;
  readonly kind?: ModelKind | undefined;
  /** The SHA-256 that the file of an https source must have, in hex. */
  readonly sha256?: string | undefined;
  /** File of its projector: a path, or `hf:Owner/Repo:FILE`; undefined: the one that lies beside it. */
  readonly projector?: string | undefined;
  readonly ownedBy?: string | undefined;
  readonly aliases?: readonly string[] | undefined;
  /** Whether the model can think; undefined: its chat template tells. */
  readonly reasoning?: boolean | undefined;
  /** Whether the model sees, if it has no file here. */
  readonly images?: boolean | undefined;
  readonly settings?: Partial<ModelSettings> | undefined;
  readonly defaults?: RequestDefaults | undefined;
  readonly info?: Readonly<Record<string, unknown>> | undefined;
}

/** Settings of models for which the configuration gives none. */
export const defaultModelSettings: ModelSettings = {
  contextTokens: undefined,
  parallel: 4,
  threads: undefined,
  gpuLayers: undefined,
  keepAliveMs: 30 * 60 * 1000,
  preload: false,
};

/** A name that the configuration gives to a model belongs to another one; the message says which name. */
export class CatalogConflictError extends Error {
  override readonly name = 'CatalogConflictError';
}

/** The first entry that has an id or alias of an entry before it, or the same name twice; undefined: there is none. */
export function findNameClash(
  entries: readonly Pick<ModelEntry, 'id' | 'aliases'>[],
): { readonly index: number; readonly name: string } | undefined {
  const seen = new Set<string>();
  for (const [index, { id, aliases = [] }] of entries.entries()) {
    for (const name of [id, ...aliases]) {
      if (seen.has(name)) return { index, name };
      seen.add(name);
    }
  }
  return undefined;
}
