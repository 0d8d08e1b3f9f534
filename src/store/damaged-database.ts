import { errorCodeOf } from '../words/describe-error.ts';
import { StoreError } from '../errors/operator-errors.ts';

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
