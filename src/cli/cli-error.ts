/** A command that cannot be carried out: a one-line message and what to do about it. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
