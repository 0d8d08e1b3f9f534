import { z } from 'zod';
import { safeNamePattern, type ModelSource } from '../../pulls/model-source.ts';
import { chooseFiles, type ListedFile } from './choose-files.ts';
import { DownloadError, statusError, toDownloadError } from '../download-error.ts';
import { httpGet, type Environment, type HttpRequest, type Network } from '../http/http-get.ts';
import type { RemoteFile } from '../fetch-file.ts';

export type HfSource = Extract<ModelSource, { kind: 'hf' }>;

const defaultEndpoint = 'https://huggingface.co';
const maxPages = 20;
const maxListingBytes = 16 * 1024 * 1024;

/** The files of `source` in the order of their parts, with sizes and hashes from the repository's listing. */
export async function resolveHfSource(
  source: HfSource,
  network: Network,
  signal: AbortSignal,
): Promise<readonly RemoteFile[]> {
  const { endpoint, request } = hubOf(network, signal);
  const listed = await listFiles(source, endpoint, request, network);
  return chooseFiles(listed, source.selector).map((file) => ({
    url: fileUrl(source, endpoint, file.path),
    name: localName(file.path),
    sizeBytes: file.sizeBytes,
    sha256: file.sha256,
    authorization: request.authorization,
  }));
}

/** Where the hub is, and how it is asked. Throws DownloadError. */
export function hubOf(
  { env }: Network,
  signal: AbortSignal,
): { readonly endpoint: URL; readonly request: HttpRequest } {
  const token = env['HF_TOKEN'];
  const authorization = token === undefined || token === '' ? undefined : `Bearer ${token}`;
  return { endpoint: endpointOf(env), request: { authorization, signal } };
}

function endpointOf(env: Environment): URL {
  const text = env['HF_ENDPOINT'] || defaultEndpoint;
  if (!URL.canParse(text)) throw new DownloadError(`HF_ENDPOINT is no URL: ${text}`);
  const endpoint = new URL(text);
  if (!endpoint.pathname.endsWith('/')) endpoint.pathname += '/';
  return endpoint;
}

/** The files of a repository. `bounds`: most pages that are read, and most bytes of each. Throws DownloadError. */
export async function listFiles(
  source: Pick<HfSource, 'owner' | 'repository' | 'revision'>,
  endpoint: URL,
  request: HttpRequest,
  network: Network,
  bounds = { pages: maxPages, bytes: maxListingBytes },
): Promise<readonly ListedFile[]> {
  const { owner, repository, revision } = source;
  const path = `api/models/${owner}/${repository}/tree/${encodeURIComponent(revision)}?recursive=true`;
  let url: URL | undefined = new URL(path, endpoint);
  const files: ListedFile[] = [];
  for (let page = 0; url !== undefined && page < bounds.pages; page++) {
    const { value, link } = await getJson(url, request, network, bounds.bytes);
    if (!Array.isArray(value)) throw new DownloadError(`${endpoint.host} sent something else than a listing`);
    files.push(...value.flatMap((entry) => toListedFile(entry) ?? []));
    url = nextPage(link, url);
  }
  return files;
}

/** Large repositories are listed in pages, each naming the next in its `Link` header. */
function nextPage(link: string | undefined, current: URL): URL | undefined {
  const target = /<([^>]*)>;\s*rel="next"/.exec(link ?? '')?.[1];
  if (target === undefined || !URL.canParse(target, current.href)) return undefined;
  const next = new URL(target, current);
  // The token is sent with every page, so all pages must come from the host of the first one.
  return next.origin === current.origin ? next : undefined;
}

const entrySchema = z.object({
  type: z.literal('file'),
  path: z.string(),
  size: z.int(),
  lfs: z.object({ oid: z.string() }).optional().catch(undefined),
});

function toListedFile(entry: unknown): ListedFile | undefined {
  const { data } = entrySchema.safeParse(entry);
  if (data === undefined) return undefined;
  const sha256 = /^(?:sha256:)?([0-9a-f]{64})$/i.exec(data.lfs?.oid ?? '')?.[1];
  return { path: data.path, sizeBytes: data.size, sha256: sha256?.toLowerCase() };
}

function fileUrl({ owner, repository, revision }: HfSource, endpoint: URL, path: string): URL {
  const pieces = path.split('/').map(encodeURIComponent).join('/');
  return new URL(`${owner}/${repository}/resolve/${encodeURIComponent(revision)}/${pieces}`, endpoint);
}

/** A JSON document of at most `mostBytes`, and the header that came with it. Throws DownloadError. */
export async function getJson(
  url: URL,
  request: HttpRequest,
  network: Network,
  mostBytes: number,
): Promise<{ readonly value: unknown; readonly link: string | undefined }> {
  const response = await httpGet(url, request, network);
  if (response.body.statusCode !== 200) {
    response.body.destroy();
    throw statusError(response.url, response.body);
  }
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > mostBytes) throw new DownloadError(`${url.host} sent a listing that is too long`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw toDownloadError(error, url, request.signal);
  }
  const { link } = response.body.headers;
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return { value, link: typeof link === 'string' ? link : undefined };
  } catch {
    throw new DownloadError(`${url.host} sent something else than a listing`);
  }
}

/** The last piece of a path from outside, as a file's name. Throws DownloadError when it is not safe as one. */
export function localName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!safeNamePattern.test(name))
    throw new DownloadError(`${JSON.stringify(name)} is no name for a file here`);
  return name;
}
