import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isProcessLocked } from './process-lock.ts';

/** Whether a database has a server. `unreachable`: it is starting or stopping, and has no address now. */
export type ServerPresence =
  | { readonly state: 'none' }
  | { readonly state: 'unreachable' }
  | { readonly state: 'serving'; readonly baseUrl: string };

const fileOf = (databaseFile: string) => `${databaseFile}.address`;

/**
 * Tells other processes where the server of this database is, such as `http://127.0.0.1:8080/v1`.
 * Only the holder of the process lock may call it. The file beside the database is readable by its owner only.
 */
export function publishServerAddress(databaseFile: string, baseUrl: string): void {
  const file = fileOf(databaseFile);
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, `${baseUrl}\n`, { mode: 0o600 });
  renameSync(temporary, file);
}

/** Removes the published address, also that of a server that was killed. */
export function withdrawServerAddress(databaseFile: string): void {
  rmSync(fileOf(databaseFile), { force: true });
}

/** Where the server of this database is. An address counts only while the process lock is held. */
export function findServer(databaseFile: string): ServerPresence {
  if (!isProcessLocked(databaseFile)) return { state: 'none' };
  const baseUrl = readAddress(databaseFile);
  return baseUrl === undefined ? { state: 'unreachable' } : { state: 'serving', baseUrl };
}

function readAddress(databaseFile: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(fileOf(databaseFile), 'utf8').trim();
  } catch {
    return undefined;
  }
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : undefined;
}
