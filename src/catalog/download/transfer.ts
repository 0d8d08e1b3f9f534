import type { IncomingHttpHeaders } from 'node:http';
import { DownloadError, statusError, toDownloadError } from './download-error.ts';
import { httpGet, type HttpResponse, type Network } from './http/http-get.ts';
import type { PartFile } from './part-file.ts';

/** One file to be fetched, as its source describes it. */
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

export interface TransferOptions {
  readonly network: Network;
  readonly signal: AbortSignal | undefined;
  /** Called with the bytes of this file that have come so far, and its length once it is known. */
  readonly onBytes: (receivedBytes: number, totalBytes: number | undefined) => void;
  /** Throws when `missingBytes` more do not fit on the disk. */
  readonly checkRoom: (missingBytes: number) => Promise<void>;
}

/** The URL without its query. The query of a signed link changes every time; the rest stays the same. */
export function originOf(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/**
 * One attempt to download what `part` lacks of `remote`; resolves when the part is complete. Rejects with
 * DownloadError; the bytes received before the error stay in the part.
 */
export async function transfer(remote: RemoteFile, part: PartFile, options: TransferOptions): Promise<void> {
  const { network, signal, onBytes } = options;
  const known = part.state;
  if (remote.sizeBytes !== undefined && part.receivedBytes > remote.sizeBytes) await part.restart();
  if (remote.sizeBytes !== undefined && part.receivedBytes === remote.sizeBytes) return;
  const from = part.receivedBytes;
  const headers = from > 0 ? rangeHeaders(from, known?.validator) : {};
  const response = await httpGet(
    remote.url,
    { headers, authorization: remote.authorization, signal },
    network,
  );
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
      throw new DownloadError(`${response.url.host} ended the file early`, { retryable: true });
    }
  } catch (error) {
    throw toDownloadError(error, response.url, signal);
  } finally {
    response.body.destroy();
    await part.flush();
  }
}

function rangeHeaders(from: number, validator: string | undefined): Record<string, string> {
  // Without a validator only the hash of the complete file shows whether both halves are of the same file.
  return { range: `bytes=${from}-`, ...(validator === undefined ? {} : { 'if-range': validator }) };
}

/** Length of the whole file, undefined where the server does not tell. Restarts a part that cannot be continued. */
async function acceptResponse(
  response: HttpResponse,
  remote: RemoteFile,
  part: PartFile,
  from: number,
): Promise<number | undefined | 'complete'> {
  const { status, headers, url } = response;
  const known = part.state;
  if (status === 416 && from > 0) {
    // The part is already complete, or the server's file is now shorter than the part.
    if (contentRange(headers)?.totalBytes === from && known?.totalBytes === from) return 'complete';
    await part.restart();
    throw new DownloadError(`${url.host} has another file than before`, { retryable: true });
  }
  if (status !== 200 && status !== 206) throw statusError(response);

  const validator = validatorOf(headers);
  let totalBytes = contentLength(headers);
  if (status === 206) {
    const range = contentRange(headers);
    if (range === undefined || range.from !== from || known === undefined) {
      await part.restart();
      throw new DownloadError(`${url.host} sends another piece of the file than was asked for`, {
        retryable: true,
      });
    }
    const isSame =
      (known.validator === undefined || validator === undefined || known.validator === validator) &&
      (known.totalBytes === undefined || known.totalBytes === range.totalBytes);
    if (!isSame) {
      await part.restart();
      throw new DownloadError(`the file on ${url.host} changed meanwhile`, { retryable: true });
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
