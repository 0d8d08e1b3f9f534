import { invalidValue } from '../errors/errors.ts';
import type { Catalog } from './types.ts';

/** The canonical ids of models given by id or alias. Throws invalid_value for an unknown name. */
export function toCanonicalIds(catalog: Catalog, names: readonly string[]): string[] {
  return [...new Set(names.map((name, index) => toCanonicalId(catalog, name, `models[${index}]`)))];
}

/** The same of one name, which is the parameter `param`. */
export function toCanonicalId(catalog: Catalog, name: string, param: string): string {
  const model = catalog.find(name);
  if (model !== undefined) return model.id;
  const nearest = catalog.nearest(name).map((id) => `'${id}'`);
  const hint = nearest.length === 0 ? '' : ` Did you mean ${nearest.join(' or ')}?`;
  throw invalidValue(param, `There is no model '${name}'.${hint}`);
}
