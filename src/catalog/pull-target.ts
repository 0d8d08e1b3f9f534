import type { CuratedModel } from './curated-models.ts';
import type { ModelEntry } from './model-entry.ts';
import { nearestNames } from './nearest-names.ts';

/** What is to be pulled. */
export interface PullTarget {
  readonly source: string;
  /** What the file, of several the first, must hash to, in hex. */
  readonly sha256: string | undefined;
  /** A URL must not lead into this machine or its network. Default: false. */
  readonly publicOnly?: boolean;
}

const maxNearest = 3;

/** What `name` stands for: a source as it stands, a configured model, or a curated one; undefined: none of these. */
export function findPullTarget(
  name: string,
  entries: readonly ModelEntry[],
  curated: readonly CuratedModel[],
): PullTarget | undefined {
  if (/^(?:hf:|https?:\/\/)/i.test(name)) {
    return { source: name, sha256: entries.find(({ source }) => source === name)?.sha256 };
  }
  const configured = entries.find(({ id, aliases = [] }) => id === name || aliases.includes(name));
  if (configured?.source !== undefined) return { source: configured.source, sha256: configured.sha256 };
  const known = curated.find(({ id }) => id === name.toLowerCase());
  return known === undefined ? undefined : { source: known.source, sha256: undefined };
}

/** At most three names that can be pulled and look like `name`. */
export function nearestPullNames(
  name: string,
  entries: readonly ModelEntry[],
  curated: readonly CuratedModel[],
): readonly string[] {
  return nearestNames(
    name,
    [...entries, ...curated].map(({ id }) => id),
    maxNearest,
  );
}
