import type { CatalogModel } from '../../catalog/types.ts';
import { can } from '../../model-kinds.ts';
import type { AppDeps } from '../env.ts';

export type BodyDeps = Pick<AppDeps, 'catalog' | 'settings'>;

/** Largest JSON body of a request that may have pictures: more than others only where a model sees or hears. */
export function bodyLimitBytes({ catalog, settings }: BodyDeps): number {
  const { jsonBodyLimitBytes, imageBodyLimitBytes } = settings;
  return catalog.list().some(takesAttachments)
    ? Math.max(jsonBodyLimitBytes, imageBodyLimitBytes)
    : jsonBodyLimitBytes;
}

function takesAttachments(model: CatalogModel): boolean {
  return can(model, 'generate') && (model.capabilities.image || model.capabilities.audio);
}
