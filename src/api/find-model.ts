import type { Principal } from '../accounts/types.ts';
import type { Catalog, CatalogModel } from '../catalog/types.ts';
import { AppError } from '../errors.ts';

/** The model that `idOrAlias` names, if `principal` may use it; throws model_not_found or insufficient_permissions. */
export function findModel(catalog: Catalog, principal: Principal, idOrAlias: string): CatalogModel {
  const model = catalog.find(idOrAlias);
  if (model === undefined) {
    const nearest = catalog.nearest(idOrAlias).filter((id) => mayUse(principal, id));
    const hint =
      nearest.length === 0
        ? 'GET /v1/models lists what there is.'
        : `Did you mean ${nearest.map((id) => `'${id}'`).join(' or ')}?`;
    throw new AppError('model_not_found', `The model '${shorten(idOrAlias)}' does not exist. ${hint}`, {
      param: 'model',
    });
  }
  if (!mayUse(principal, model.id)) {
    throw new AppError(
      'insufficient_permissions',
      `This API key may not use the model '${shorten(idOrAlias)}'. GET /v1/models lists those that it may use.`,
      { param: 'model' },
    );
  }
  return model;
}

export function mayUse(principal: Principal, canonicalId: string): boolean {
  return principal.allowedModels === null || principal.allowedModels.includes(canonicalId);
}

/** The chat model that `idOrAlias` names; throws as findModel does, and unsupported_value for other kinds of model. */
export function findChatModel(catalog: Catalog, principal: Principal, idOrAlias: string): CatalogModel {
  if (asksForReasoning(catalog, idOrAlias)) {
    throw new AppError(
      'unsupported_value',
      `Reasoning is not available. Use the model '${idOrAlias.slice(0, -2)}'.`,
      { param: 'model' },
    );
  }
  const model = findModel(catalog, principal, idOrAlias);
  if (model.kind === 'chat') return model;
  const instead = model.kind === 'whisper' ? 'It transcribes speech' : 'It computes embeddings';
  throw new AppError(
    'unsupported_value',
    `The model '${shorten(idOrAlias)}' cannot chat. ${instead}; use a chat model here.`,
    { param: 'model' },
  );
}

/** True for `<chat model>-r` where no model of that very name exists. */
function asksForReasoning(catalog: Catalog, idOrAlias: string): boolean {
  return (
    idOrAlias.endsWith('-r') &&
    catalog.find(idOrAlias) === undefined &&
    catalog.find(idOrAlias.slice(0, -2))?.kind === 'chat'
  );
}

function shorten(id: string): string {
  return id.length > 100 ? `${id.slice(0, 100)}…` : id;
}
