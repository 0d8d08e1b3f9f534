import { errorCodeOf, messageOf } from '../words/describe-error.ts';
import { StoreError } from '../errors/operator-errors.ts';
import { toStorageTrouble } from '../errors/storage-trouble.ts';
import { isBusy } from './process-lock.ts';

/** Whether SQLite found, when it read the file, that it is damaged. */
export function isDamage(error: unknown): error is Error {
  return error instanceof Error && /^SQLITE_(?:CORRUPT|NOTADB)/.test(errorCodeOf(error) ?? '');
}

/** Names the damage and the remedy. */
export function damagedDatabase(file: string, problem: string): StoreError {
  return new StoreError(
    `the database ${file} is damaged: ${problem}`,
    `put a backup in its place, without ${file}-wal and ${file}-shm; or save what can be read with: sqlite3 ${file} .recover | sqlite3 recovered.db; or choose another --data-dir`,
  );
}

/** Names the file and the remedy where `error` is that the database cannot be written now; any other error as it is. */
export function whyUnwritten(file: string, error: unknown): unknown {
  // Another file, such as that of a backup, may be on a full disk, too.
  if (errorCodeOf(error)?.startsWith('SQLITE_') !== true || toStorageTrouble(error) === undefined)
    return error;
  return new StoreError(
    `the database ${file} cannot be written: ${messageOf(error)}`,
    isBusy(error)
      ? 'end the program that locks it, or try again'
      : 'see that its disk has room and may be written, or choose another --data-dir',
  );
}
