import { clientClosedRequest } from '../errors/errors.ts';

/** The server had no room for a line, or its model was away: it may come again as often as it likes. */
export const isOverloaded = (status: number): boolean => status === 429 || status === 503 || status === 529;

/** The line was stopped, or its key is gone, upon which the whole batch ends: that says nothing about the line. */
export const isInterrupted = (status: number): boolean => status === clientClosedRequest || status === 401;

/** Whether a line with this answer comes again by itself, so that the answer is not its result. */
export function isPutOff(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  { isLastTry }: { readonly isLastTry: boolean },
): boolean {
  if (status === 429 || isInterrupted(status)) return true;
  const mayRetry = status >= 500 && headers.get('x-should-retry') !== 'false';
  return mayRetry && (isOverloaded(status) || !isLastTry);
}
