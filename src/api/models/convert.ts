import type { Price } from '../../accounts/budgets/price.ts';
import type { CatalogModel } from '../../catalog/types.ts';
import type { ModelState } from '../../engine/pool/model-status.ts';
import type { AppDeps } from '../env.ts';
import { can } from '../../model-kinds.ts';
import { toWireSampling } from '../parameters/sampling-parameters.ts';
import { toRunsOn } from '../model/runs-on.ts';
import {
  aliasesOf,
  bytesOnDisk,
  canReason,
  contextTokensOf,
  isFailing,
  type NamedModel,
} from '../model/model-names.ts';

/** A model as the list shows it, under its name, which may be an alias. The specified fields come first. */
export function toWireModel(
  named: NamedModel,
  models: Pick<AppDeps['models'], 'state' | 'status'>,
  price?: Price,
) {
  const { name, model } = named;
  return {
    id: name,
    object: 'model',
    created: model.createdAtSeconds,
    owned_by: model.ownedBy,
    parameters_number: toParametersNumber(model.parameterCount),
    capabilities: {
      supports_audio: model.capabilities.audio,
      supports_image: model.capabilities.image,
      supports_function_calling: model.capabilities.functionCalling,
    },
    ...toContextNames(contextTokensOf(model, models) ?? null, model),
    quantization: model.quantization,
    aliases: aliasesOf(named),
    state: toWireState(models.state(model.id)),
    kind: model.kind,
    tool_format: model.capabilities.toolFormat ?? null,
    supports_reasoning: canReason(model),
    reasoning_efforts: canReason(model) ? (model.capabilities.reasoningEfforts ?? null) : null,
    supports_speech_output: can(model, 'speak'),
    size_bytes: bytesOnDisk(model),
    runs_elsewhere: model.upstream !== undefined,
    upstream_label: model.upstream?.label ?? null,
    last_answer_failed: isFailing(models.status(model.id)),
    runs_on: model.upstream === undefined ? toRunsOn(models.status(model.id)) : null,
    support_chat_completion: can(model, 'generate'),
    supports_responses: can(model, 'generate'),
    ...(price !== undefined && { prices: toWirePrices(price) }),
    ...(model.defaults !== undefined && { default_parameters: toWireSampling(model.defaults.sampling) }),
    ...(model.info !== undefined && { info: model.info }),
  };
}

/** Those that are not set are in no JSON. */
const toWirePrices = (price: Price) => ({
  input_tokens: price.inputTokens,
  cached_tokens: price.cachedTokens,
  output_tokens: price.outputTokens,
  audio_seconds: price.audioSeconds,
  requests: price.requests,
});

/** The context under the names of several servers, one of which every client looks for. */
function toContextNames(contextTokens: number | null, { trainContextTokens }: CatalogModel) {
  return {
    context_window: contextTokens,
    context_length: contextTokens,
    max_model_len: contextTokens,
    meta: { n_ctx: contextTokens, n_ctx_train: trainContextTokens || null },
    top_provider: { context_length: contextTokens },
  };
}

/** The state on the wire. A model that is being loaded can be used like any other, so it is `available`. */
function toWireState(state: ModelState): string {
  return state === 'loading' ? 'available' : state;
}

const units = [
  { suffix: 'T', size: 1e12 },
  { suffix: 'B', size: 1e9 },
  { suffix: 'M', size: 1e6 },
  { suffix: 'K', size: 1e3 },
] as const;

/** `count` with three significant digits and a unit, such as `8.03B`; without one below 1000; `unknown` for 0. */
export function toParametersNumber(count: number): string {
  if (count <= 0) return 'unknown';
  // Rounded first: 999,900,000 is 1.00B and not 1000M.
  const rounded = Number(count.toPrecision(3));
  const unit = units.find(({ size }) => rounded >= size);
  return unit === undefined ? String(count) : `${(rounded / unit.size).toPrecision(3)}${unit.suffix}`;
}
