import { AppError } from '../errors/errors.ts';

/** `cause` where it is an AppError, else an engine_error that hides it from clients. */
export function engineError(
  cause: unknown,
  message = 'The model failed on this request. Try it again.',
): AppError {
  return cause instanceof AppError ? cause : new AppError('engine_error', message, { cause });
}
