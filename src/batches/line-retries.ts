/** The server had no room for a line, or its model was away: it may come again as often as it likes. */
export const isOverloaded = (status: number): boolean => status === 429 || status === 503 || status === 529;

/** Whether the same request may succeed later. */
export const isRetryable = ({ status, headers }: Pick<Response, 'status' | 'headers'>): boolean =>
  status === 429 || (status >= 500 && headers.get('x-should-retry') !== 'false');

/** Whether a line with this answer comes again by itself, so that the answer is not its result. */
export const isPutOff = (
  response: Pick<Response, 'status' | 'headers'>,
  { isLastTry }: { readonly isLastTry: boolean },
): boolean => isRetryable(response) && (isOverloaded(response.status) || !isLastTry);
