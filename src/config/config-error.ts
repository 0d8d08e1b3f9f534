/** A setting that cannot be used: a one-line message that says where it stands, and what to do about it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
