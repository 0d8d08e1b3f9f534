import type { Principal } from '../../accounts/types.ts';
import type { Catalog, CatalogModel } from '../../catalog/types.ts';
import { preferredChatModel } from '../../config/demo.ts';
import type { ModelMemory } from '../../engine/pool/model-status.ts';
import { AppError } from '../../errors/errors.ts';
import { can, modelKinds, type Ability } from '../../model-kinds.ts';
import { canReason, findNamedModel, withoutSuffix, type NamedModel } from './model-names.ts';

/** Downloads take minutes, so there is no use in more frequent retries. */
const pendingRetrySeconds = 30;

/** The model of that name, if `principal` may use it. Throws model_not_found or insufficient_permissions. */
export function findModel(catalog: Catalog, principal: Principal, name: string): NamedModel {
  const named = findNamedModel(catalog, name);
  if (named === undefined || (named.isReasoningVariant && !canReason(named.model)))
    throw notFound(catalog, principal, name);
  checkUse(principal, named);
  return named;
}

/** Whether `principal` may use the model. A key's list may have aliases: the command line accepts any name. */
export function mayUse({ allowedModels }: Principal, { id, aliases }: CatalogModel): boolean {
  return allowedModels === null || [id, ...aliases].some((name) => allowedModels.includes(name));
}

export const tokenModels = (catalog: Catalog, principal: Principal): readonly CatalogModel[] =>
  catalog.list().filter((model) => can(model, 'embed') && mayUse(principal, model));

/** The model of that name that reads texts; without a name, the only one that the key may use. Throws AppError. */
export function findTokenModel(catalog: Catalog, principal: Principal, name: string | undefined): NamedModel {
  if (name !== undefined) return findModelFor('tokens', catalog, principal, name);
  const models = tokenModels(catalog, principal);
  const [only] = models;
  if (only !== undefined && models.length === 1)
    return { name: only.id, model: only, isReasoningVariant: false };
  throw new AppError(
    'missing_required_parameter',
    "Missing required parameter 'model': it can be left out only where there is one model. GET /v1/models lists them.",
    { param: 'model' },
  );
}

interface Served {
  readonly catalog: Catalog;
  readonly models: Pick<ModelMemory, 'state'>;
}

/** As findModelFor; a request that names no model, or '', gets the one that is present. */
export const findPresentModelFor = (
  work: keyof typeof works,
  served: Served,
  principal: Principal,
  name: string | undefined,
  isFit?: (model: CatalogModel) => boolean,
): NamedModel =>
  findModelFor(work, served.catalog, principal, name || presentModel(served, principal, isFit).id);

/**
 * The model of a request that names none: one that writes, on this machine before elsewhere, of those in memory first.
 * Throws model_not_found.
 */
function presentModel(
  { catalog, models }: Served,
  principal: Principal,
  isFit: (model: CatalogModel) => boolean = () => true,
): CatalogModel {
  const writing = tokenModels(catalog, principal).filter((model) => can(model, 'generate'));
  const fit = writing.filter(isFit);
  const chosen = fit.length > 0 ? fit : writing;
  const own = chosen.filter(({ upstream }) => upstream === undefined);
  const present = own.find(({ id }) => models.state(id) === 'loaded');
  const model = present ?? preferredChatModel(own) ?? preferredChatModel(chosen);
  if (model !== undefined) return model;
  throw new AppError('model_not_found', 'There is no model here that writes text.', { param: 'model' });
}

/** The kinds of work of the routes: the ability that each needs, and its name in errors. */
const works = {
  chat: ['generate', 'chat'],
  text: ['generate', 'write text'],
  embedding: ['embed', 'compute embeddings'],
  tokens: ['embed', 'read texts'],
  ranking: ['rank', 'rank texts'],
  transcription: ['transcribe', 'transcribe speech'],
  speech: ['speak', 'speak'],
} as const satisfies Record<string, readonly [Ability, string]>;

/** The model of that name that can do `work`. Throws as findModel does, and unsupported_value for other models. */
export function findModelFor(
  work: keyof typeof works,
  catalog: Catalog,
  principal: Principal,
  name: string,
): NamedModel {
  const [ability, asked] = works[work];
  const found = findNamedModel(catalog, name);
  if (found === undefined) throw notFound(catalog, principal, name);
  checkUse(principal, found);
  const others = othersOf(catalog, principal);
  const named = { ...found, others };
  const { model, isReasoningVariant } = named;
  if (!can(model, ability)) {
    const fit = others((one) => can(one, ability)) || 'another model';
    throw new AppError(
      'unsupported_value',
      `The model '${shorten(name)}' cannot ${asked}: it ${modelKinds[model.kind].strength}. Use ${fit} here.`,
      { param: 'model' },
    );
  }
  if (isReasoningVariant && !canReason(model)) {
    throw new AppError(
      'unsupported_value',
      `That model cannot reason. Use the model '${withoutSuffix(name) ?? model.id}'.`,
      { param: 'model' },
    );
  }
  return named;
}

const maxOthers = 5;

const othersOf =
  (catalog: Catalog, principal: Principal): NonNullable<NamedModel['others']> =>
  (isFit) =>
    catalog
      .list()
      .filter((one) => isFit(one) && mayUse(principal, one))
      .slice(0, maxOthers)
      .map(({ id }) => `'${id}'`)
      .join(' or ');

function checkUse(principal: Principal, { name, model }: NamedModel): void {
  if (mayUse(principal, model)) return;
  throw new AppError(
    'insufficient_permissions',
    `This API key may not use the model '${shorten(name)}'. GET /v1/models lists those that it may use.`,
    { param: 'model' },
  );
}

function notFound(catalog: Catalog, principal: Principal, name: string): AppError {
  if (catalog.isPending(name))
    return new AppError(
      'model_loading',
      `The model '${shorten(name)}' is still being downloaded. Try again later.`,
      { param: 'model', retryAfterSeconds: pendingRetrySeconds },
    );
  const nearest = catalog.nearest(name).filter((id) => {
    const model = catalog.find(id);
    return model !== undefined && mayUse(principal, model);
  });
  const hint =
    nearest.length === 0
      ? 'GET /v1/models lists what there is.'
      : `Did you mean ${nearest.map((id) => `'${id}'`).join(' or ')}?`;
  return new AppError('model_not_found', `The model '${shorten(name)}' does not exist. ${hint}`, {
    param: 'model',
  });
}

function shorten(id: string): string {
  return id.length > 100 ? `${id.slice(0, 100)}…` : id;
}
