import { z } from 'zod';
import { DownloadError } from '../../../catalog/download/download-error.ts';
import { repositoryPattern } from '../../../catalog/download/hugging-face/hub-search.ts';
import { AppError } from '../../../errors/errors.ts';
import type { Routes } from '../../add-routes.ts';
import type { AppDeps } from '../../env.ts';
import { createLeaving } from '../../generation/leaving.ts';
import { namedObject } from '../../openapi/json-schema.ts';
import { json, operationsOf } from '../../openapi/operation.ts';
import { readQuery } from '../../request/read-parameters.ts';
import { toWireList } from '../convert.ts';
import { count, listOf } from '../../openapi/shared-schemas.ts';

const search = z.strictObject({ search: z.string().min(2).max(100).describe('Words of the name.') });

const hubModel = namedObject('HubModel', {
  id: z.string().min(1).describe('`Owner/Repository`.'),
  object: z.literal('hub_model'),
  downloads: count.describe('Of the last month.'),
  gated: z.boolean().describe('Its owner has to let somebody in, who then sets HF_TOKEN.'),
});

const hubVariant = namedObject('HubVariant', {
  id: z.string().min(1).describe('Its file, or what the names of its parts have in common.'),
  object: z.literal('hub_variant'),
  source: z.string().min(1).describe('By which it can be pulled.'),
  size_bytes: count.describe('Of all its files.'),
  fits: z.boolean().describe('It leaves enough memory for other programs, as far as its size tells.'),
  served_as: z.string().nullable().describe('The id under which it is here already.'),
});

export const hubModelList = namedObject('HubModelList', listOf(hubModel));
export const hubVariantList = namedObject('HubVariantList', listOf(hubVariant));

export const hubOperations = operationsOf(['Administration', 'admin'], {
  listHubModels: {
    route: 'GET /admin/v1/hub-models',
    summary: 'Search Hugging Face for models in GGUF files',
    description: 'The server asks, at HF_ENDPOINT where that is set, and waits for up to 15 seconds.',
    query: search,
    answer: json(hubModelList, 'At most 20, those first that are downloaded most.'),
    errors: ['pull_failed'],
  },
  listHubVariants: {
    route: 'GET /admin/v1/hub-models/{owner}/{repository}',
    summary: 'List the models in a repository of Hugging Face, one for each quantization',
    pathParameters: { owner: 'As in `Owner/Repository`.', repository: 'The same.' },
    answer: json(hubVariantList, 'From small to large.'),
    errors: ['pull_failed', 'not_found', 'invalid_value'],
  },
});

export const hubRoutes = ({ administration: { hub, pulls } }: AppDeps): Routes => ({
  '/hub-models': {
    GET: async (c) => {
      const { search: words } = readQuery(c, search);
      const found = await orPublicError(hub.search(words, createLeaving(c).signal));
      return c.json(
        toWireList(
          found.map(({ id, downloads, isGated }) => ({ id, object: 'hub_model', downloads, gated: isGated })),
        ),
      );
    },
  },
  '/hub-models/:owner/:repository': {
    GET: async (c) => {
      const repository = `${c.req.param('owner') ?? ''}/${c.req.param('repository') ?? ''}`;
      if (!repositoryPattern.test(repository))
        throw new AppError('not_found', 'A repository is called Owner/Repository.', { param: 'repository' });
      const found = await orPublicError(hub.variants(repository, createLeaving(c).signal));
      return c.json(
        toWireList(
          found.map(({ name, source, sizeBytes, fits }) => ({
            id: name,
            object: 'hub_variant',
            source,
            size_bytes: sizeBytes,
            fits,
            served_as: pulls.servedAs(source) ?? null,
          })),
        ),
      );
    },
  },
});

async function orPublicError<Found>(asking: Promise<Found>): Promise<Found> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error;
    const hint = error.hint === undefined ? '' : ` (${error.hint})`;
    throw new AppError('pull_failed', `Hugging Face could not be asked: ${error.message}${hint}.`, {
      cause: error,
    });
  }
}
