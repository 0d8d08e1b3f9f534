/** The data folder cannot be used; the message is one line, the hint says what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint;
  }
}
