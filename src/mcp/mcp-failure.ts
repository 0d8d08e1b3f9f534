/**
 * A server of tools that does not do as it is asked. The message completes the sentence `The server "x" …`, and is
 * public; the cause is for the log.
 */
export class McpFailure extends Error {
  override readonly name = 'McpFailure';
  /** The protocol's code of the error; undefined: the server was not reached. */
  readonly code: number | undefined;

  constructor(message: string, { code, cause }: { code?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause });
    this.code = code;
  }
}
