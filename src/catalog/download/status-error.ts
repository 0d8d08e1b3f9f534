import { DownloadError } from './download-error.ts';
import type { HttpResponse } from './http-get.ts';

const maxRetryAfterMs = 60_000;

/** A response that brings no file, in words. */
export function statusError({ url, status, headers }: HttpResponse): DownloadError {
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
