import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { DownloadError, statusError, toDownloadError } from './download-error.ts';
import { httpGet, type HttpResponse, type Network } from './http/http-get.ts';
import { PartFile } from './part-file.ts';

export interface RemoteFile {
  readonly url: URL;
  /** Its name on this machine: one piece of a path, checked to be safe. */
  readonly name: string;
  /** undefined where it is known only once the download has begun. */
  readonly sizeBytes: number | undefined;
  /** In hex; undefined where neither the listing nor the caller gives one. */
  readonly sha256: string | undefined;
  readonly authorization: string | undefined;
}

export interface FetchOptions {
  readonly network: Network;
  readonly signal: AbortSignal;
  /** The download is given up after this many attempts in a row that brought no new bytes. */
  readonly maxFailures: number;
  /** Pause before the second attempt; it doubles from one to the next. */
  readonly retryDelayMs: number;
  readonly onRetry: (error: DownloadError, delayMs: number) => void;
  /** Called with the bytes of this file that have come so far, and its length once it is known. */
  readonly onBytes: (receivedBytes: number, totalBytes: number | undefined) => void;
  /** Throws when `missingBytes` more do not fit on the disk. */
  readonly checkRoom: (missingBytes: number) => Promise<void>;
  /** The fault of a complete file whose hash is not known; undefined when it has none. */
  readonly inspect: (path: string) => string | undefined;
}

const maxRetryDelayMs = 30_000;

/** The URL without its query. The query of a signed link changes every time; the rest stays the same. */
export function originOf(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/**
 * Downloads `remote` to `targetPath` and resolves to its hash and size. It resumes the `<targetPath>.part` of an
 * earlier attempt and retries after failures that may pass. The file gets its name only when it is complete and verified.
 */
export async function fetchFile(
  remote: RemoteFile,
  targetPath: string,
  options: FetchOptions,
): Promise<{ readonly sha256: string; readonly sizeBytes: number }> {
  const part = await PartFile.open(`${targetPath}.part`, originOf(remote.url), remote.sha256);
  try {
    let isResumed = part.receivedBytes > 0;
    for (;;) {
      await transferWithRetries(remote, part, options);
      const sha256 = part.sha256();
      const trouble = await troubleWith(remote, part, sha256, options);
      if (trouble === undefined) {
        await part.finish(targetPath);
        return { sha256, sizeBytes: part.receivedBytes };
      }
      await part.restart();
      // The part of an earlier attempt may have been damaged: the whole file is downloaded once more.
      if (!isResumed) throw trouble;
      isResumed = false;
    }
  } finally {
    await part.close();
  }
}

async function transferWithRetries(remote: RemoteFile, part: PartFile, options: FetchOptions): Promise<void> {
  const { signal, maxFailures, retryDelayMs, onRetry } = options;
  for (let failures = 0; ;) {
    const before = part.receivedBytes;
    try {
      return await transfer(remote, part, options);
    } catch (error) {
      if (!(error instanceof DownloadError) || !error.retryable) throw error;
      failures = part.receivedBytes > before ? 1 : failures + 1;
      if (failures >= maxFailures) throw error;
      const delayMs = error.retryAfterMs ?? Math.min(retryDelayMs * 2 ** (failures - 1), maxRetryDelayMs);
      onRetry(error, delayMs);
      await sleep(delayMs, undefined, { signal });
    }
  }
}

async function troubleWith(
  { name, sha256: expected }: RemoteFile,
  part: PartFile,
  sha256: string,
  { inspect }: FetchOptions,
): Promise<DownloadError | undefined> {
  if (expected === sha256) return undefined;
  if (expected !== undefined)
    return new DownloadError(`${name} has the sha256 ${sha256}, not ${expected}`, {
      hint: 'it was damaged on the way, or the server has another file: nothing of it was kept',
    });
  await part.flush();
  const trouble = inspect(part.path);
  return trouble === undefined ? undefined : new DownloadError(`${name} is no model: ${trouble}`);
}

/** One attempt to download the rest of `part`. Rejects with DownloadError; bytes that came before stay in the part. */
async function transfer(remote: RemoteFile, part: PartFile, options: FetchOptions): Promise<void> {
  const { network, signal, onBytes } = options;
  if (remote.sizeBytes !== undefined && part.receivedBytes > remote.sizeBytes) await part.restart();
  if (remote.sizeBytes !== undefined && part.receivedBytes === remote.sizeBytes) return;
  const from = part.receivedBytes;
  // Without a validator only the hash of the complete file shows whether both halves are of the same file.
  const { validator } = part.state ?? {};
  const headers =
    from > 0 ? { range: `bytes=${from}-`, ...(validator !== undefined && { 'if-range': validator }) } : {};
  const { authorization } = remote;
  const response = await httpGet(remote.url, { headers, authorization, signal }, network);
  try {
    const totalBytes = await acceptResponse(response, remote, part, from);
    if (totalBytes === 'complete') return;
    await options.checkRoom((totalBytes ?? 0) - part.receivedBytes);
    onBytes(part.receivedBytes, totalBytes);
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      if (totalBytes !== undefined && part.receivedBytes + chunk.length > totalBytes) {
        throw new DownloadError(
          `${response.url.host} sends more than the ${totalBytes} bytes that it announced`,
        );
      }
      await part.append(chunk);
      onBytes(part.receivedBytes, totalBytes);
    }
    if (totalBytes !== undefined && part.receivedBytes < totalBytes) {
      throw passing(`${response.url.host} ended the file early`);
    }
  } catch (error) {
    throw toDownloadError(error, response.url, signal);
  } finally {
    response.body.destroy();
    await part.flush();
  }
}

/** Length of the whole file, undefined where the server does not tell. Restarts a part that cannot be continued. */
async function acceptResponse(
  response: HttpResponse,
  remote: RemoteFile,
  part: PartFile,
  from: number,
): Promise<number | undefined | 'complete'> {
  const { url, body } = response;
  const { headers, statusCode: status } = body;
  const known = part.state;
  if (status === 416 && from > 0) {
    // The part is already complete, or the server's file is now shorter than the part.
    if (contentRange(headers)?.totalBytes === from && known?.totalBytes === from) return 'complete';
    await part.restart();
    throw passing(`${url.host} has another file than before`);
  }
  if (status !== 200 && status !== 206) throw statusError(url, body);

  const validator = validatorOf(headers);
  let totalBytes = contentLength(headers);
  if (status === 206) {
    const range = contentRange(headers);
    if (range === undefined || range.from !== from || known === undefined) {
      await part.restart();
      throw passing(`${url.host} sends another piece of the file than was asked for`);
    }
    const isSame =
      (known.validator === undefined || validator === undefined || known.validator === validator) &&
      (known.totalBytes === undefined || known.totalBytes === range.totalBytes);
    if (!isSame) {
      await part.restart();
      throw passing(`the file on ${url.host} changed meanwhile`);
    }
    totalBytes = range.totalBytes;
  } else if (part.receivedBytes > 0) await part.restart();

  if (remote.sizeBytes !== undefined && totalBytes !== undefined && totalBytes !== remote.sizeBytes) {
    throw new DownloadError(
      `${url.host} announces ${totalBytes} bytes for ${remote.name}, but the listing says ${remote.sizeBytes}`,
    );
  }
  totalBytes ??= remote.sizeBytes;
  await part.begin({ origin: originOf(remote.url), validator, totalBytes, sha256: remote.sha256 });
  return totalBytes;
}

const passing = (message: string) => new DownloadError(message, { retryable: true });

/** The value for `If-Range`: a strong entity tag, else the modification date. */
function validatorOf(headers: IncomingHttpHeaders): string | undefined {
  const { etag } = headers;
  if (etag !== undefined && !etag.startsWith('W/')) return etag;
  return headers['last-modified'];
}

function contentLength(headers: IncomingHttpHeaders): number | undefined {
  const length = Number(headers['content-length'] ?? Number.NaN);
  return Number.isSafeInteger(length) && length >= 0 ? length : undefined;
}

function contentRange(
  headers: IncomingHttpHeaders,
): { readonly from: number | undefined; readonly totalBytes: number } | undefined {
  const match = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(headers['content-range'] ?? '');
  if (match?.[2] === undefined) return undefined;
  return { from: match[1] === undefined ? undefined : Number(match[1]), totalBytes: Number(match[2]) };
}
