import type { Config } from '../config/types.ts';
import { damagedDatabase } from '../store/damaged-database.ts';
import { acquireProcessLock, lockHolder, type LockHolder, type ProcessLock } from '../store/process-lock.ts';
import { StoreError } from '../errors/operator-errors.ts';
import type { Store } from '../store/store.ts';
import { toStorageTrouble } from '../errors/storage-trouble.ts';
import type { Log } from '../telemetry/log.ts';
import { describeProcess, stopCommand } from './listen.ts';
import { messageOf } from '../words/describe-error.ts';

/**
 * The lock that keeps other servers away from the database. Where the last server did not close the database, for
 * example after a power cut, its file is checked first. Throws StoreError where another server has the lock or the file
 * is damaged.
 */
export function claimDatabase(
  { databaseFile, dataDir }: Pick<Config, 'databaseFile' | 'dataDir'>,
  store: Pick<Store, 'quickProblems'>,
  log: Log,
): ProcessLock {
  const lock = acquireProcessLock(databaseFile);
  if (lock === undefined) throw alreadyServed(dataDir, lockHolder(databaseFile));
  if (lock.wasAbandoned) {
    log.warn({ file: databaseFile }, 'the database was not closed: looking through it');
    const [problem] = store.quickProblems();
    if (problem !== undefined) {
      lock.abandon();
      throw damagedDatabase(databaseFile, problem);
    }
  }
  return lock;
}

function alreadyServed(dataDir: string, holder: LockHolder | undefined): StoreError {
  const who = holder === undefined ? '' : `: ${describeProcess(holder)}`;
  const how = holder === undefined ? 'stop it' : `stop it with "${stopCommand(holder.pid)}"`;
  return new StoreError(
    `another hearth serves from ${dataDir} already${who}`,
    `${how}, or give this one a --data-dir of its own`,
  );
}

/** The result of `work`. Throws StoreError where `work` fails because the database cannot be written. */
export function orStoreError<Result>(
  { databaseFile }: Pick<Config, 'databaseFile'>,
  work: () => Result,
): Result {
  try {
    return work();
  } catch (error) {
    if (toStorageTrouble(error) === undefined) throw error;
    const reason = messageOf(error);
    throw new StoreError(
      `the database ${databaseFile} cannot be written: ${reason}`,
      'make room on its disk, or choose another --data-dir',
      error,
    );
  }
}
