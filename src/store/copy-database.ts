import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { createOwnerOnly } from '../private-files.ts';

/**
 * Writes a copy of the database `source` to the new file `target`, whole or not at all; only its owner can read it.
 * The copy holds all that was committed at one moment, also while others write: VACUUM INTO reads in one transaction, whereas
 * SQLite's online backup begins again with each write of another process. Throws the error of SQLite or the system.
 */
export function copyDatabase(source: string, target: string): void {
  const unfinished = `${target}.unfinished`;
  rmSync(unfinished, { force: true });
  createOwnerOnly(unfinished);
  try {
    const connection = new Sqlite(source, { readonly: true, fileMustExist: true });
    try {
      connection.pragma('busy_timeout = 5000');
      connection.prepare('VACUUM INTO ?').run(unfinished);
    } finally {
      connection.close();
    }
    syncFile(unfinished);
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** SQLite does not wait until the copy of VACUUM INTO is on the disk. */
function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
