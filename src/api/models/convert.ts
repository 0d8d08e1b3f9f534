import type { CatalogModel } from '../../catalog/types.ts';
import type { ModelState } from '../../engine/types.ts';

/** A model as the listing shows it, under `id`, which may be an alias; the specified fields come first. */
export function toWireModel(id: string, model: CatalogModel, state: ModelState) {
  const own = {
    id,
    object: 'model',
    created: model.createdAtSeconds,
    owned_by: model.ownedBy,
    parameters_number: toParametersNumber(model.parameterCount),
    capabilities: {
      supports_audio: model.capabilities.audio,
      supports_image: model.capabilities.image,
      supports_function_calling: model.capabilities.functionCalling,
    },
    context_window: model.settings.contextTokens ?? (model.trainContextTokens || null),
    quantization: model.quantization,
    aliases: model.aliases,
    state: toWireState(state),
  };
  // The operator's free fields follow, except where they would hide one of ours.
  const extra = Object.entries(model.extra).filter(([name]) => !(name in own));
  return { ...own, ...Object.fromEntries(extra) };
}

/** A model on its way into memory can be asked for like any other that is on disk. */
function toWireState(state: ModelState): string {
  return state === 'loading' ? 'available' : state;
}

const units = [
  { suffix: 'T', size: 1e12 },
  { suffix: 'B', size: 1e9 },
  { suffix: 'M', size: 1e6 },
  { suffix: 'K', size: 1e3 },
] as const;

/** Three significant digits and a unit: `596M`, `8.03B`; plain below a thousand, `unknown` for 0. */
export function toParametersNumber(count: number): string {
  if (count <= 0) return 'unknown';
  // Rounded first: 999,900,000 is 1.00B and not 1000M.
  const rounded = Number(count.toPrecision(3));
  const unit = units.find(({ size }) => rounded >= size);
  return unit === undefined ? String(count) : `${(rounded / unit.size).toPrecision(3)}${unit.suffix}`;
}
