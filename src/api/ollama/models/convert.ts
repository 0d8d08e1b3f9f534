import { createHash } from 'node:crypto';
import type { CatalogModel } from '../../../catalog/types.ts';
import { fileFormats } from '../../../engine/file-formats.ts';
import type { ModelStatus } from '../../../engine/pool/model-status.ts';
import { can } from '../../../model-kinds.ts';
import type { AppDeps } from '../../env.ts';
import { contextTokensOf } from '../../model/model-names.ts';
import { toParametersNumber } from '../../models/convert.ts';
import { withTag } from '../names.ts';

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
  return { name, model: name, size: model.sizeBytes, digest: toDigest(model), details: toDetails(model) };
}

const modifiedAt = ({ createdAtSeconds }: CatalogModel) => new Date(createdAtSeconds * 1000).toISOString();

export function toTag(model: CatalogModel, models: AppDeps['models']) {
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

export function toShown(model: CatalogModel, models: AppDeps['models']) {
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

/**
 * Fields that the model takes, written as a template of Ollama: programs look for `.Tools` and `.Suffix` in it. Its own
 * template is another language.
 */
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

/** A model in memory. */
export function toRunning(model: CatalogModel, { memory, contextTokens, unloadsAtMs }: ModelStatus) {
  const { ramBytes = 0, vramBytes = 0 } = memory ?? {};
  return {
    ...toIdentity(model),
    size: Math.ceil(ramBytes + vramBytes),
    size_vram: Math.ceil(vramBytes),
    context_length: contextTokens ?? 0,
    expires_at: unloadsAtMs === undefined ? never : new Date(unloadsAtMs).toISOString(),
  };
}
