import type { IncomingMessage } from 'node:http';
import { errorCodeOf, messageOf } from '../../words/describe-error.ts';

const maxRetryAfterMs = 60_000;
const offlineHint = 'is this machine online, or does it need HTTPS_PROXY?';

/** Why something could not be downloaded: one line for people, and whether trying again makes sense. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  /** The remedy, for the person who asked for the download. */
  readonly hint: string | undefined;
  /** The same request may well succeed a little later. */
  readonly retryable: boolean;
  /** The wait before a new attempt that the server asked for. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    details: Partial<Pick<DownloadError, 'hint' | 'retryable' | 'retryAfterMs' | 'cause'>> = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.hint = details.hint;
    this.retryable = details.retryable ?? false;
    this.retryAfterMs = details.retryAfterMs;
  }

  /** Fields for a line of the log, without a stack: the fault lies with a server, a name or a network. */
  toLogFields() {
    const cause = this.cause instanceof Error ? this.cause.message : undefined;
    return { reason: this.message, hint: this.hint, cause: cause === '' ? undefined : cause };
  }
}

/** The error for a response of `url` that brings no file. */
export function statusError(url: URL, { statusCode: status = 0, headers }: IncomingMessage): DownloadError {
  const what = `${url.host}${url.pathname}`;
  if (status === 401 || status === 403) {
    return new DownloadError(`${url.host} refuses to give out ${url.pathname} (${status})`, {
      hint: 'it may not exist, be private, or want its terms accepted: check the name, or set HF_TOKEN',
    });
  }
  if (status === 404 || status === 410) {
    return new DownloadError(`${what} does not exist`, { hint: 'check the name for typing errors' });
  }
  if (status === 408 || status === 429 || status >= 500) {
    const seconds = Number(headers['retry-after']);
    return new DownloadError(`${url.host} answers ${status}`, {
      retryable: true,
      retryAfterMs: seconds > 0 ? Math.min(seconds * 1000, maxRetryAfterMs) : undefined,
    });
  }
  return new DownloadError(`${what} answers ${status}`);
}

/** An `error` of a request or of its body as a DownloadError; after an abort, the reason of `signal`. */
export function toDownloadError(error: unknown, url: URL, signal: AbortSignal): Error {
  if (signal.aborted && signal.reason instanceof Error) return signal.reason;
  if (error instanceof DownloadError) return error;
  const code = errorCodeOf(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new DownloadError(`${url.host} cannot be reached: its address is not found`, {
      retryable: code === 'EAI_AGAIN',
      hint: offlineHint,
      cause: error,
    });
  const isCertificate = code !== undefined && /CERT|TLS|SSL/.test(code);
  return new DownloadError(`the connection to ${url.host} failed: ${messageOf(error) || code}`, {
    retryable: !isCertificate,
    cause: error,
  });
}
