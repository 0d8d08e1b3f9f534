import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { createOwnerOnly } from '../private-files.ts';

export interface ProcessLock {
  /** The last holder ended without `release`, as in a crash: the database may be damaged. */
  readonly wasAbandoned: boolean;
  /** Gives the lock back, after the database is closed. */
  release(): void;
  /** Gives the lock back, and the next holder finds it abandoned. */
  abandon(): void;
}

export interface LockHolder {
  readonly pid: number;
  readonly sinceMs: number;
}

/** `isProcessLocked` holds the file for less than this, and acquiring the lock waits for it. */
const lookMs = 500;

const fileOf = (databaseFile: string) => `${databaseFile}.lock`;
const openMarkOf = (databaseFile: string) => `${databaseFile}.open`;

/** Whether another program locks the database that `error` is about. */
export function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/**
 * The lock of a database, for the one process that serves it; undefined while another holds it. It is an exclusive
 * SQLite transaction on a file beside the database, because Node has no file locks. The system ends it together with
 * the process, also in a crash, after which a file `.open` is left. It tells who has the lock.
 */
export function acquireProcessLock(databaseFile: string): ProcessLock | undefined {
  const file = fileOf(databaseFile);
  const openMark = openMarkOf(databaseFile);
  createOwnerOnly(file);
  const connection = new Sqlite(file, { timeout: lookMs });
  try {
    connection.exec('BEGIN EXCLUSIVE');
    const wasAbandoned = existsSync(openMark);
    createOwnerOnly(openMark);
    const holder: LockHolder = { pid: process.pid, sinceMs: Date.now() };
    writeFileSync(openMark, JSON.stringify(holder));
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

/** Who holds the lock of this database, as it says itself; undefined: that is not known. */
export function lockHolder(databaseFile: string): LockHolder | undefined {
  try {
    const { pid, sinceMs } = JSON.parse(
      readFileSync(openMarkOf(databaseFile), 'utf8'),
    ) as Partial<LockHolder>;
    return Number.isInteger(pid) && Number.isFinite(sinceMs) ? ({ pid, sinceMs } as LockHolder) : undefined;
  } catch {
    return undefined;
  }
}

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
