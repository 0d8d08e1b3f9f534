import type { Config } from '../config/types.ts';
import { acquireProcessLock, type ProcessLock } from '../store/process-lock.ts';
import { StoreError } from '../operator-errors.ts';
import type { Store } from '../store/store.ts';
import { toStorageTrouble } from '../storage-trouble.ts';
import type { Log } from '../telemetry/log.ts';

/**
 * The lock of the database, for the server alone. Where the server before did not close it, as after a power cut, its
 * file is looked through first. Throws StoreError where another server has the lock or the file is damaged.
 */
export function claimDatabase(
  { databaseFile, dataDir }: Pick<Config, 'databaseFile' | 'dataDir'>,
  store: Pick<Store, 'quickProblems'>,
  log: Log,
): ProcessLock {
  const lock = acquireProcessLock(databaseFile);
  if (lock === undefined)
    throw new StoreError(
      `another hearth serves from ${dataDir} already`,
      'stop it, or give this one a --data-dir of its own',
    );
  if (lock.wasAbandoned) {
    log.warn({ file: databaseFile }, 'the database was not closed: looking through it');
    const [problem] = store.quickProblems();
    if (problem !== undefined) {
      lock.abandon();
      throw new StoreError(`the database ${databaseFile} is damaged: ${problem}`, damagedHint(databaseFile));
    }
  }
  return lock;
}

/** What to do about a damaged database. */
function damagedHint(file: string): string {
  return `put a backup in its place, without ${file}-wal and ${file}-shm; or save what can be read with: sqlite3 ${file} .recover | sqlite3 recovered.db`;
}

/** What `work` gives. Throws StoreError where it fails since nothing can be written to the database. */
export function orStoreError<Result>(
  { databaseFile }: Pick<Config, 'databaseFile'>,
  work: () => Result,
): Result {
  try {
    return work();
  } catch (error) {
    if (toStorageTrouble(error) === undefined) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(
      `the database ${databaseFile} cannot be written: ${reason}`,
      'make room on its disk, or choose another --data-dir',
      error,
    );
  }
}
