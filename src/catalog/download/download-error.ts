export interface DownloadErrorDetails {
  /** What whoever asked for the download can do about it. */
  readonly hint?: string | undefined;
  /** The same request may well succeed a little later. */
  readonly retryable?: boolean | undefined;
  /** What the server asked to wait before that. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** Why something could not be downloaded: one line for people, and whether trying again makes sense. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  readonly hint: string | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: DownloadErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.hint = details.hint;
    this.retryable = details.retryable ?? false;
    this.retryAfterMs = details.retryAfterMs;
  }

  /** The reason in the log: without a stack, which leads nowhere when it is a server or a name that is at fault. */
  toLogFields(): {
    readonly reason: string;
    readonly hint: string | undefined;
    readonly cause: string | undefined;
  } {
    const cause = this.cause instanceof Error ? this.cause.message : undefined;
    return { reason: this.message, hint: this.hint, cause: cause === '' ? undefined : cause };
  }
}
