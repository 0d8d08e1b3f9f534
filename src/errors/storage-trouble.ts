import { errorCodeOf } from '../words/describe-error.ts';
import { AppError } from './errors.ts';

/** The operator has to make room, which takes a while. */
const retryAfterSeconds = 30;

/** Codes of the system and of SQLite for a full disk or a full quota. */
const full: ReadonlySet<unknown> = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT', 'EFBIG']);
/** Codes for a disk that cannot be written now: it is read-only or gone, or another process locks the database. */
const unwritable = /^(?:SQLITE_(?:IOERR|READONLY|CANTOPEN|BUSY)(?:_\w+)?|EROFS|EIO)$/;

/** The storage_unavailable error when `thrown`, or one of its causes, is a failed write; undefined for anything else. */
export function toStorageTrouble(thrown: unknown): AppError | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const code = errorCodeOf(error);
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
