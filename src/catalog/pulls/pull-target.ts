import type { CuratedModel } from './curated-models.ts';
import type { ModelEntry } from '../model-entry.ts';
import { withHf } from './model-source.ts';
import { nearestNames } from '../../words/nearest-names.ts';

export interface PullTarget {
  readonly source: string;
  /** SHA-256 that the file must have, in hex; of several files, the first one. */
  readonly sha256: string | undefined;
  /** The id to serve it under; undefined: the one that it has, or that the file's name gives. */
  readonly id?: string | undefined;
  /** A URL must not lead into this machine or its network. Default: false. */
  readonly publicOnly?: boolean;
}

const maxNearest = 3;
const maxSearchedChars = 64;

/** The target that `asked` stands for: a source, a configured model, a curated one, or `Owner/Repo`; undefined: none of these. */
export function findPullTarget(
  asked: string,
  entries: readonly ModelEntry[],
  curated: readonly CuratedModel[],
): PullTarget | undefined {
  const name = withHf(asked);
  if (/^(?:hf:|https?:\/\/)/i.test(name)) {
    return { source: name, sha256: entries.find(({ source }) => source === name)?.sha256 };
  }
  const configured = entries.find(({ id, aliases = [] }) => id === name || aliases.includes(name));
  if (configured?.source !== undefined) return { source: configured.source, sha256: configured.sha256 };
  const known = curated.find(({ id }) => id === name.toLowerCase());
  if (known !== undefined) return { source: known.source, sha256: undefined };
  return /^[\w-][\w.-]*\/[\w.-]+(?:[:@].+)?$/.test(name)
    ? { source: `hf:${name}`, sha256: undefined }
    : undefined;
}

/** Suggestions for a name that stands for no model. */
export interface UnknownPullName {
  /** At most three names that can be pulled and look like it. */
  readonly near: readonly string[];
  readonly searchUrl: string;
}

export function unknownPullName(
  name: string,
  entries: readonly ModelEntry[],
  curated: readonly CuratedModel[],
): UnknownPullName {
  const known = [...entries, ...curated].map(({ id }) => id);
  const url = new URL('https://huggingface.co/models?library=gguf');
  // Ollama's names have a tag after a colon.
  url.searchParams.set('search', name.slice(0, maxSearchedChars).split(':')[0] ?? '');
  return { near: nearestNames(name, known, maxNearest), searchUrl: url.href };
}
