/** An error in one line: its message, the message of its cause, and its hint. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : '';
  const why = cause === '' || error.message.includes(cause) ? '' : `: ${cause}`;
  const hint = 'hint' in error && typeof error.hint === 'string' ? ` (${error.hint})` : '';
  return `${error.message}${why}${hint}`.replaceAll(/\s*\n\s*/g, ' ');
}

/** The message of a thrown error, or a thrown value as text. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The `code` of an error of Node or SQLite, such as ENOENT; undefined when `error` has none. */
export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
