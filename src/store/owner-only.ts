import { chmodSync, closeSync, openSync } from 'node:fs';

/** What file systems without modes, such as exFAT, answer, and those of a file that belongs to somebody else. */
const cannotChange: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EINVAL']);

/** Makes the file where it does not exist, readable by its owner only as far as the file system can do that. */
export function createOwnerOnly(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    if (!cannotChange.has((error as NodeJS.ErrnoException).code)) throw error;
  }
}
