import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CacheFilePlace } from '../../model-backend.ts';
import { errorCodeOf } from '../../../words/describe-error.ts';
import { cacheRoom, ownerInName, ownerTag } from './cache-names.ts';

/** The models and accounts whose kept caches may stay. */
export interface KeptOwners {
  /** Models whose caches are kept in files. */
  readonly modelIds: readonly string[];
  /** Ids of the accounts that there are now. */
  accountIds(): readonly string[];
}

/** Where the model's caches lie below `root`, which has a folder for each model. */
export const placeOfModel = ({ folder, secret }: CacheFilePlace, modelId: string): CacheFilePlace => ({
  folder: join(folder, cacheRoom(modelId)),
  secret,
});

/**
 * Deletes the caches of models that keep none, and of accounts that are gone, below the folder of `root`. Throws the
 * system's errors.
 */
export async function sweepCaches(root: CacheFilePlace, owners: KeptOwners): Promise<void> {
  const rooms = new Set(owners.modelIds.map(cacheRoom));
  for (const room of await namesIn(root.folder)) {
    const folder = join(root.folder, room);
    if (!rooms.has(room)) await rm(folder, { recursive: true, force: true });
    const names = await namesIn(folder);
    // Asked for after the names: so an account that was made meanwhile loses nothing.
    const tags = new Set(owners.accountIds().map((id) => ownerTag(root.secret, id)));
    for (const name of names)
      if (!tags.has(ownerInName(name) ?? '')) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Deletes all caches of an account below the folder of `root`. Throws the system's errors. */
export async function deleteCachesOf(root: CacheFilePlace, accountId: string): Promise<void> {
  const tag = ownerTag(root.secret, accountId);
  for (const room of await namesIn(root.folder))
    for (const name of await namesIn(join(root.folder, room)))
      if (ownerInName(name) === tag) await rm(join(root.folder, room, name), { force: true });
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCodeOf(error) ?? '')) return [];
    throw error;
  }
}
