import { createHmac } from 'node:crypto';
import path from 'node:path';
import type { Config } from '../config/types.ts';
import { deleteCachesOf, sweepCaches } from '../engine/llama/cache-files/sweep-caches.ts';
import type { CacheFilePlace } from '../engine/model-backend.ts';
import type { Store } from '../store/store.ts';

const intervalMs = 10 * 60_000;

/** Where caches lie while they are not in memory: a folder in which each model has its own. */
export const keptCachesPlace = ({ dataDir }: Pick<Config, 'dataDir'>, store: Store): CacheFilePlace => ({
  folder: path.join(dataDir, 'caches'),
  secret: createHmac('sha256', store.readSigningKey()).update('kept caches').digest(),
});

/** The function that deletes a removed account's files. Where it fails, `keepCachesSwept` logs that and tries again. */
export const cachesDeletion =
  (config: Pick<Config, 'dataDir'>, store: Store) =>
  (accountId: string): Promise<void> =>
    deleteCachesOf(keptCachesPlace(config, store), accountId).catch(() => undefined);

export interface SweepOptions {
  readonly place: CacheFilePlace;
  readonly store: Store;
  /** The models that are configured now. */
  readonly models: () => Config['models'];
  readonly onError: (error: unknown) => void;
}

/**
 * Deletes the files of models whose `cacheFile` is not set, and of accounts that are gone, now and every ten minutes: a
 * command may have removed an account whose caches are still in memory. Returns a function that does it once more, when no
 * model writes any more, and then ends.
 */
export function keepCachesSwept({ place, store, models, onError }: SweepOptions): () => Promise<void> {
  const sweep = () =>
    sweepCaches(place, {
      modelIds: models()
        .filter(({ settings }) => settings?.cacheFile === true)
        .map(({ id }) => id),
      accountIds: () => store.accounts.list().map(({ id }) => id),
    }).catch(onError);
  void sweep();
  const timer = setInterval(() => void sweep(), intervalMs).unref();
  return async () => {
    clearInterval(timer);
    await sweep();
  };
}
