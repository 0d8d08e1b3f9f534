import type { Handler } from 'hono';
import { z } from 'zod';
import type { AppDeps, AppEnv, AppContext } from '../../env.ts';
import { findModel, tokenModels } from '../../model/find-model.ts';
import { namedParameters } from '../../openapi/json-schema.ts';
import { modelName } from '../../parameters/generation-parameters.ts';
import { readBody } from '../../request/read-parameters.ts';
import { nameIn, withoutTag, withTag } from '../dialect.ts';
import { createHash } from 'node:crypto';
import type { CatalogModel } from '../../../catalog/types.ts';
import { fileFormats } from '../../../engine/file-formats.ts';
import type { ModelStatus } from '../../../engine/pool/model-status.ts';
import { can } from '../../../model-kinds.ts';
import { bytesOnDisk, contextTokensOf } from '../../model/model-names.ts';
import { toParametersNumber } from '../../models/convert.ts';

/** When a model that stays for ever is said to leave: programs expect a time. */
const never = '9999-12-31T23:59:59Z';

function toDetails({ engine = 'llama', architecture, parameterCount, quantization }: CatalogModel) {
  return {
    parent_model: '',
    format: fileFormats[engine].name,
    family: architecture,
    families: [architecture],
    parameter_size: toParametersNumber(parameterCount),
    quantization_level: quantization ?? 'unknown',
  };
}

/** Changes when the file changes. It is no hash of the file, which may be very large. */
function toDigest({ id, sizeBytes, createdAtSeconds }: CatalogModel): string {
  return createHash('sha256')
    .update(JSON.stringify([id, sizeBytes, createdAtSeconds]))
    .digest('hex');
}

function toIdentity(model: CatalogModel) {
  const name = withTag(model.id);
  return { name, model: name, size: bytesOnDisk(model), digest: toDigest(model), details: toDetails(model) };
}

const modifiedAt = ({ createdAtSeconds }: CatalogModel) => new Date(createdAtSeconds * 1000).toISOString();

function toTag(model: CatalogModel, models: AppDeps['models']) {
  return {
    ...toIdentity(model),
    modified_at: modifiedAt(model),
    context_length: contextTokensOf(model, models) ?? 0,
    capabilities: toCapabilities(model),
  };
}

function toCapabilities(model: CatalogModel) {
  const { functionCalling, image, audio, reasoning, infill = false } = model.capabilities;
  const writes = can(model, 'generate');
  const named = [
    ['completion', writes],
    ['tools', functionCalling],
    ['insert', writes && infill],
    ['vision', writes && image],
    ['audio', writes && audio],
    ['thinking', reasoning],
    ['embedding', model.kind === 'embedding'],
  ] as const;
  return named.filter(([, has]) => has).map(([name]) => name);
}

function toShown(model: CatalogModel, models: AppDeps['models']) {
  const { architecture, parameterCount } = model;
  const contextTokens = contextTokensOf(model, models);
  return {
    modelfile: `# ${model.id} is a file that hearth serves; it has no Modelfile.\nFROM ${model.id}\n`,
    parameters: contextTokens === undefined ? '' : `num_ctx ${contextTokens}`,
    template: toTemplate(model),
    details: toDetails(model),
    model_info: {
      'general.architecture': architecture,
      'general.parameter_count': parameterCount,
      ...(contextTokens !== undefined && { [`${architecture}.context_length`]: contextTokens }),
    },
    capabilities: toCapabilities(model),
    modified_at: modifiedAt(model),
  };
}

/** Fields that the model takes, as a template of Ollama, in which programs look for `.Tools` and `.Suffix`. */
function toTemplate(model: CatalogModel): string {
  if (!can(model, 'generate')) return '';
  const { functionCalling, infill } = model.capabilities;
  const fields = [
    '.System',
    ...(functionCalling ? ['.Tools'] : []),
    '.Prompt',
    ...(infill ? ['.Suffix'] : []),
  ];
  return fields.map((field) => `{{ ${field} }}`).join('');
}

function toRunning(model: CatalogModel, { memory, contextTokens, unloadsAtMs }: ModelStatus) {
  const { ramBytes = 0, vramBytes = 0 } = memory ?? {};
  return {
    ...toIdentity(model),
    size: Math.ceil(ramBytes + vramBytes),
    size_vram: Math.ceil(vramBytes),
    context_length: contextTokens ?? 0,
    expires_at: unloadsAtMs === undefined ? never : new Date(unloadsAtMs).toISOString(),
  };
}

/** The version of Ollama whose API this follows: programs ask for the least version that they need. */
const apiVersion = '0.12.6';

/** `name` is the name of `model` in older clients. */
export const showSchema = namedParameters('OllamaShow', {
  model: modelName.optional(),
  name: modelName.optional(),
  verbose: z.boolean().optional(),
});

/** GET /api/version */
export const version: Handler<AppEnv> = (c) => c.json({ version: apiVersion });

/** GET /api/tags: the models that the key may use for anything that this API has. */
export async function tags(c: AppContext, deps: AppDeps): Promise<Response> {
  const usable = tokenModels(deps.catalog, c.get('principal'));
  await deps.models.findNeeds(usable.map(({ id }) => id));
  return c.json({ models: usable.map((model) => toTag(model, deps.models)) });
}

/** GET /api/ps: those of them that are in memory. */
export function running(c: AppContext, deps: AppDeps): Response {
  const loaded = tokenModels(deps.catalog, c.get('principal')).filter(
    ({ id }) => deps.models.state(id) === 'loaded',
  );
  return c.json({ models: loaded.map((model) => toRunning(model, deps.models.status(model.id))) });
}

/** POST /api/show: the kind and abilities of one model. */
export async function show(c: AppContext, { catalog, models }: AppDeps): Promise<Response> {
  const asked = nameIn(readBody(c, showSchema));
  const { model } = findModel(catalog, c.get('principal'), withoutTag(catalog, asked));
  await models.findNeeds([model.id]);
  return c.json(toShown(model, models));
}
