import type { CatalogModel } from '../../catalog/types.ts';
import type { ModelMemory } from '../../engine/pool/model-status.ts';

/**
 * The tokens that one request to the model can have, prompt and answer together: as it is loaded; else as configured, as
 * it was when it was loaded last, or as it was trained. undefined: nobody has told.
 */
export function contextTokensOf(
  { id, settings, trainContextTokens }: CatalogModel,
  models: Pick<ModelMemory, 'status'>,
): number | undefined {
  const { contextTokens, lastContextTokens } = models.status(id);
  return contextTokens ?? settings.contextTokens ?? lastContextTokens ?? (trainContextTokens || undefined);
}
