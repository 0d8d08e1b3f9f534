import { errorCodeOf } from '../words/describe-error.ts';
import { AppError } from './errors.ts';

/** The operator has to make room, which takes a while. */
const retryAfterSeconds = 30;
/** Other programs lock the database for as long as a backup or a shell of SQLite takes. */
const lockedRetrySeconds = 5;

/** Codes of the system and of SQLite for a full disk or a full quota. */
const full: ReadonlySet<unknown> = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT', 'EFBIG']);
/** Codes for a disk that cannot be written now: it is read-only or gone. */
const unwritable = /^(?:SQLITE_(?:IOERR|READONLY|CANTOPEN)(?:_\w+)?|EROFS|EIO)$/;
const locked = /^SQLITE_BUSY(?:_\w+)?$/;

/** The storage_unavailable error when `thrown`, or one of its causes, is a failed write; undefined for anything else. */
export function toStorageTrouble(thrown: unknown): AppError | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const code = errorCodeOf(error);
    if (code === 'storage_unavailable' && error instanceof AppError) return error;
    const what = full.has(code)
      ? "The server's disk is full"
      : locked.test(String(code))
        ? "Another program locks the server's database"
        : unwritable.test(String(code))
          ? 'The server cannot write to its disk now'
          : undefined;
    if (what !== undefined)
      return new AppError('storage_unavailable', `${what}. Try again later, or tell the operator.`, {
        retryAfterSeconds: locked.test(String(code)) ? lockedRetrySeconds : retryAfterSeconds,
        cause: thrown,
      });
  }
  return undefined;
}
