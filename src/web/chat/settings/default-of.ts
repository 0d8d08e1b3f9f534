import type { Model } from '../../api/types.ts';
import { isDemo } from '../../state/models.ts';
import { demoTemperature, type NumberParameter } from './parameters.ts';

/** The value of a model's answers where none is set; undefined: nobody here knows. */
export function defaultOf(
  { wire, byDefault }: NumberParameter,
  model: Model | undefined,
): number | undefined {
  if (model === undefined) return byDefault;
  const { id, default_parameters: ofModel = {}, runs_elsewhere: isAway } = model;
  if (wire === 'temperature' && isDemo(id)) return demoTemperature;
  return ofModel[wire] ?? (isAway ? undefined : byDefault);
}
