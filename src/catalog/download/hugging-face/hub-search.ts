import { z } from 'zod';
import { DownloadError } from '../download-error.ts';
import type { Network } from '../http/http-get.ts';
import { variantsIn, type ModelVariant } from './choose-files.ts';
import { getJson, hubOf, listFiles } from './hf-repository.ts';

/** A repository with models that hearth can serve. */
export interface HubModel {
  /** As in `Owner/Repository`. */
  readonly id: string;
  readonly downloads: number;
  /** Whether its owner has to let somebody in first. */
  readonly isGated: boolean;
}

/** Most that is read of an answer here, where answers to clients wait meanwhile. */
const bounds = { pages: 2, bytes: 2 * 1024 * 1024 };
const mostFound = 20;

/** Two names of which `hf:` can be followed. */
export const repositoryPattern = /^[A-Za-z0-9_][\w.+-]{0,99}\/[A-Za-z0-9_][\w.+-]{0,99}$/;

const foundSchema = z.object({
  id: z.string().max(200),
  downloads: z.int().min(0).catch(0),
  gated: z.union([z.boolean(), z.string()]).catch(false),
});

/** The repositories of GGUF models that the hub finds for `words`, the one that is downloaded most first. Throws DownloadError. */
export async function searchHub(
  words: string,
  network: Network,
  signal: AbortSignal,
): Promise<readonly HubModel[]> {
  const { endpoint, request } = hubOf(network, signal);
  const url = new URL('api/models', endpoint);
  const query = {
    search: words,
    filter: 'gguf',
    sort: 'downloads',
    direction: '-1',
    limit: String(mostFound),
  };
  url.search = new URLSearchParams(query).toString();
  const { value } = await getJson(url, request, network, bounds.bytes);
  if (!Array.isArray(value))
    throw new DownloadError(`${endpoint.host} sent something else than a list of models`);
  return value.slice(0, mostFound).flatMap((entry) => {
    const { data } = foundSchema.safeParse(entry);
    if (data === undefined || !repositoryPattern.test(data.id)) return [];
    return [{ id: data.id, downloads: data.downloads, isGated: data.gated !== false }];
  });
}

/** The models in a repository of the hub, each with the name by which it is pulled, the smallest first. Throws DownloadError. */
export async function variantsOf(
  repository: string,
  network: Network,
  signal: AbortSignal,
): Promise<readonly ModelVariant[]> {
  const [owner = '', name = ''] = repository.split('/');
  const { endpoint, request } = hubOf(network, signal);
  const source = { owner, repository: name, revision: 'main' };
  return variantsIn(await listFiles(source, endpoint, request, network, bounds));
}
