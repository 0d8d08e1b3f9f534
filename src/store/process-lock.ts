import { existsSync, rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { createOwnerOnly } from '../make-files.ts';

export interface ProcessLock {
  /** Whoever had it before ended without `release`: the database may not be as it was left. */
  readonly wasAbandoned: boolean;
  /** Gives the lock back, after the database is closed. */
  release(): void;
  /** Gives the lock back so that the next one finds it abandoned, too. */
  abandon(): void;
}

/** A look at the lock takes less than this; who wants the lock waits for one to end. */
const lookMs = 500;

const fileOf = (databaseFile: string) => `${databaseFile}.lock`;

function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/**
 * The lock of a database, for the one process that serves it; undefined while another holds it.
 * Lies beside the database. Node knows no file locks, SQLite does: an exclusive transaction that stays open.
 * The system takes it back when the process ends, however it ends. What a crash leaves is an empty file that tells of
 * it.
 */
export function acquireProcessLock(databaseFile: string): ProcessLock | undefined {
  const file = fileOf(databaseFile);
  const openMark = `${databaseFile}.open`;
  createOwnerOnly(file);
  const connection = new Sqlite(file, { timeout: lookMs });
  try {
    connection.exec('BEGIN EXCLUSIVE');
    const wasAbandoned = existsSync(openMark);
    createOwnerOnly(openMark);
    const abandon = () => void connection.close();
    return {
      wasAbandoned,
      abandon,
      release() {
        rmSync(openMark, { force: true });
        abandon();
      },
    };
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** Whether some process holds the lock of this database. */
export function isProcessLocked(databaseFile: string): boolean {
  const file = fileOf(databaseFile);
  if (!existsSync(file)) return false;
  const connection = new Sqlite(file, { readonly: true, timeout: 0 });
  try {
    // Any read needs a shared lock, which the exclusive transaction of the holder refuses.
    connection.pragma('schema_version');
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    connection.close();
  }
}
