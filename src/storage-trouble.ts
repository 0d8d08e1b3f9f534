import { AppError } from './errors.ts';

/** Somebody has to make room, which takes them a while. */
const retryAfterSeconds = 30;

/** What the system and SQLite answer when there is no room, for the machine or for this user. */
const full: ReadonlySet<unknown> = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT', 'EFBIG']);
/** The same for a disk that takes nothing now: it is read-only or gone, or another process keeps the database locked. */
const unwritable = /^(?:SQLITE_(?:IOERR|READONLY|CANTOPEN|BUSY)(?:_\w+)?|EROFS|EIO)$/;

/** The storage_unavailable error for what was thrown by a write, or caused what was thrown; undefined for anything else. */
export function toStorageTrouble(thrown: unknown): AppError | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const code = 'code' in error ? error.code : undefined;
    if (code === 'storage_unavailable' && error instanceof AppError) return error;
    const what = full.has(code)
      ? "The server's disk is full"
      : unwritable.test(String(code))
        ? 'The server cannot write to its disk now'
        : undefined;
    if (what !== undefined)
      return new AppError('storage_unavailable', `${what}. Try again later, or tell the operator.`, {
        retryAfterSeconds,
        cause: thrown,
      });
  }
  return undefined;
}
