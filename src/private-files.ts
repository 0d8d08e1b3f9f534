import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCodeOf } from './words/describe-error.ts';

/** The answers of file systems without modes, such as exFAT, and of a file that belongs to another user. */
const cannotChange: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EINVAL']);

/**
 * Makes the folder and those above it that do not exist, each with `mode`. Throws the system's error. Node's own
 * `recursive` never returns where the system refuses a new folder with ENOENT, as it does in /proc.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let path = folder; !isFolder(path) && dirname(path) !== path; path = dirname(path)) missing.push(path);
  for (const path of missing.reverse()) {
    try {
      mkdirSync(path, { mode });
    } catch (error) {
      // Another process was faster.
      if (!isFolder(path)) throw error;
    }
  }
}

/** Makes the file where it does not exist; only its owner can read it, as far as the file system can do that. */
export function createOwnerOnly(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    if (!cannotChange.has(errorCodeOf(error))) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
