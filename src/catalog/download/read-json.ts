import { DownloadError } from './download-error.ts';
import { httpGet, toDownloadError, type HttpRequest, type Network } from './http-get.ts';
import { statusError } from './status-error.ts';

const maxBodyBytes = 16 * 1024 * 1024;

/** A JSON document and the headers that came with it; at most 16 MiB are read. */
export async function getJson(
  url: URL,
  request: HttpRequest,
  network: Network,
): Promise<{ readonly value: unknown; readonly link: string | undefined }> {
  const response = await httpGet(url, request, network);
  if (response.status !== 200) {
    response.body.destroy();
    throw statusError(response);
  }
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBodyBytes) throw new DownloadError(`${url.host} sent a listing that is too long`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw toDownloadError(error, url, request.signal);
  }
  const { link } = response.headers;
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return { value, link: typeof link === 'string' ? link : undefined };
  } catch {
    throw new DownloadError(`${url.host} sent something else than a listing`);
  }
}
