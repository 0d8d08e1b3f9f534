import type { Handler } from 'hono';
import { z } from 'zod';
import type { CatalogModel } from '../../catalog/types.ts';
import { fileFormats } from '../../engine/file-formats.ts';
import { can } from '../../model-kinds.ts';
import type { AppDeps, AppEnv } from '../env.ts';
import { findTokenModel, tokenModels } from '../model/find-model.ts';
import { bytesOnDisk, contextTokensOf } from '../model/model-names.ts';
import { ollamaDialect } from '../ollama/dialect.ts';
import { namedObject } from '../openapi/json-schema.ts';
import { json, operationsOf } from '../openapi/operation.ts';
import { toParametersNumber } from '../models/convert.ts';

const tokens = z.int().min(0).describe('Tokens that one request can have; 0: not known.');
const format = z.string().nullable().describe('null: it has no file here.');

const listed = namedObject('LmStudioModel', {
  id: z.string().min(1),
  object: z.literal('model'),
  type: z.enum(['llm', 'vlm', 'embeddings']),
  publisher: z.string(),
  arch: z.string(),
  compatibility_type: format,
  quantization: z.string().nullable(),
  state: z.enum(['loaded', 'not-loaded']),
  max_context_length: tokens,
  loaded_context_length: tokens.optional(),
  capabilities: z.array(z.literal('tool_use')),
});

const list = namedObject('LmStudioModels', { object: z.literal('list'), data: z.array(listed) });

const newList = namedObject('LmStudioModelsV1', {
  models: z.array(
    z.strictObject({
      type: z.enum(['llm', 'embedding']),
      publisher: z.string(),
      key: z.string().min(1),
      display_name: z.string().min(1),
      architecture: z.string(),
      quantization: z.strictObject({ name: z.string(), bits_per_weight: z.number().nullable() }).nullable(),
      size_bytes: z.int().min(0),
      params_string: z.string(),
      loaded_instances: z.array(
        z.strictObject({ id: z.string(), config: z.strictObject({ context_length: tokens }) }),
      ),
      max_context_length: tokens,
      format,
      capabilities: z.strictObject({ vision: z.boolean(), trained_for_tool_use: z.boolean() }).optional(),
      description: z.null(),
    }),
  ),
});

/** They stand below Ollama's path, and have its errors and its local key. */
export const lmStudioOperations = operationsOf(['Models', 'user', ollamaDialect], {
  lmStudioModels: {
    route: 'GET /api/v0/models',
    summary: 'List the models that the key may use, as LM Studio has it',
    answer: json(list, 'Those that write text or compute embeddings.'),
  },
  lmStudioModel: {
    route: 'GET /api/v0/models/{id}',
    summary: 'Look a model up, as LM Studio has it',
    pathParameters: { id: 'An id or alias; it may have slashes in it.' },
    answer: json(listed, 'The model.'),
    errors: ['model_not_found', 'model_loading', 'unsupported_value'],
  },
  lmStudioModelsV1: {
    route: 'GET /api/v1/models',
    summary: 'List the models that the key may use, as newer LM Studio has it',
    answer: json(newList, 'Those that write text or compute embeddings.'),
  },
});

type Deps = Pick<AppDeps, 'catalog' | 'models'>;

export function lmStudioRoutes(deps: Deps): Readonly<Record<string, Handler<AppEnv>>> {
  const { catalog, models } = deps;
  const listFor =
    (toBody: (all: readonly CatalogModel[]) => object): Handler<AppEnv> =>
    async (c) => {
      const all = tokenModels(catalog, c.get('principal'));
      await models.findNeeds(all.map(({ id }) => id));
      return c.json(toBody(all));
    };
  return {
    '/api/v0/models': listFor((all) => ({ object: 'list', data: all.map((model) => toListed(model, deps)) })),
    '/api/v0/models/:id{.+}': async (c) => {
      const { model } = findTokenModel(catalog, c.get('principal'), c.req.param('id') ?? '');
      await models.findNeeds([model.id]);
      return c.json(toListed(model, deps));
    },
    '/api/v1/models': listFor((all) => ({ models: all.map((model) => toNewListed(model, deps)) })),
  };
}

/** Facts that both versions tell. `isLoaded`: another server's model always is. */
function factsOf(model: CatalogModel, { models }: Deps) {
  const { id, engine, upstream } = model;
  const max = contextTokensOf(model, models) ?? 0;
  const isLoaded = upstream !== undefined || models.state(id) === 'loaded';
  const fileFormat = engine === undefined ? null : fileFormats[engine].name;
  return { max, isLoaded, fileFormat, writes: can(model, 'generate') };
}

function toListed(model: CatalogModel, deps: Deps): z.output<typeof listed> {
  const { max, isLoaded, fileFormat, writes } = factsOf(model, deps);
  const { image, functionCalling } = model.capabilities;
  return {
    id: model.id,
    object: 'model',
    type: writes ? (image ? 'vlm' : 'llm') : 'embeddings',
    publisher: model.ownedBy,
    arch: model.architecture,
    compatibility_type: fileFormat,
    quantization: model.quantization,
    state: isLoaded ? 'loaded' : 'not-loaded',
    max_context_length: max,
    ...(isLoaded && { loaded_context_length: max }),
    capabilities: functionCalling ? ['tool_use'] : [],
  };
}

function toNewListed(model: CatalogModel, deps: Deps) {
  const { max, isLoaded, fileFormat, writes } = factsOf(model, deps);
  const { id, quantization, capabilities } = model;
  const bits = /\d+/.exec(quantization ?? '')?.[0];
  return {
    type: writes ? 'llm' : 'embedding',
    publisher: model.ownedBy,
    key: id,
    display_name: id,
    architecture: model.architecture,
    quantization: quantization && {
      name: quantization,
      bits_per_weight: bits === undefined ? null : Number(bits),
    },
    size_bytes: bytesOnDisk(model),
    params_string: toParametersNumber(model.parameterCount),
    loaded_instances: isLoaded ? [{ id, config: { context_length: max } }] : [],
    max_context_length: max,
    format: fileFormat,
    ...(writes && {
      capabilities: { vision: capabilities.image, trained_for_tool_use: capabilities.functionCalling },
    }),
    description: null,
  };
}
