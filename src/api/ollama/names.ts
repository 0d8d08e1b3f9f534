import type { Catalog } from '../../catalog/types.ts';
import { findNamedModel } from '../model/model-names.ts';

const defaultTag = ':latest';

/** `name` without the tag that Ollama adds to every name without one, unless a model is called so. */
export function withoutTag(catalog: Catalog, name: string): string {
  if (!name.endsWith(defaultTag) || findNamedModel(catalog, name) !== undefined) return name;
  return name.slice(0, -defaultTag.length);
}

/** The name of the model `id` as Ollama lists it. */
export const withTag = (id: string): string => (id.includes(':') ? id : id + defaultTag);
