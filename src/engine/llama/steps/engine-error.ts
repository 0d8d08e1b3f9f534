import { AppError } from '../../../errors.ts';

/** What the client of a request that failed for `cause` gets: an AppError as it is, else engine_error. */
export const toEngineError = (cause: unknown): AppError =>
  cause instanceof AppError
    ? cause
    : new AppError('engine_error', 'The model failed on this request. Try it again.', { cause });
