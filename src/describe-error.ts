/** An error in one line: what went wrong, why where another error tells, and what to do about it where that is known. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : '';
  const why = cause === '' || error.message.includes(cause) ? '' : `: ${cause}`;
  const hint = 'hint' in error && typeof error.hint === 'string' ? ` (${error.hint})` : '';
  return `${error.message}${why}${hint}`.replaceAll(/\s*\n\s*/g, ' ');
}
