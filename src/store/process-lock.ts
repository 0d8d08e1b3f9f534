import Sqlite from 'better-sqlite3';
import { createOwnerOnly } from './owner-only.ts';

export interface ProcessLock {
  release(): void;
}

function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/**
 * The lock of a database, for the one process that serves it; undefined while another holds it.
 * Lies beside the database. Node knows no file locks, SQLite does: an exclusive transaction that stays open.
 * The system takes it back when the process ends, however it ends, so that a crash leaves nothing to clean up.
 */
export function acquireProcessLock(databaseFile: string): ProcessLock | undefined {
  const file = `${databaseFile}.lock`;
  createOwnerOnly(file);
  const connection = new Sqlite(file, { timeout: 0 });
  try {
    connection.exec('BEGIN EXCLUSIVE');
    return { release: () => connection.close() };
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}
