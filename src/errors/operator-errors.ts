/** A fault that the person who runs hearth can mend: one line about the fault, and a hint at the remedy. */
class OperatorError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint;
  }
}

/** A setting that cannot be used; the message says where it stands. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError';
}

/** The data folder cannot be used. */
export class StoreError extends OperatorError {
  override readonly name = 'StoreError';
}

/** A command that cannot be carried out. */
export class CliError extends OperatorError {
  override readonly name: string = 'CliError';
}
