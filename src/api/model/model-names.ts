import { can } from '../../model-kinds.ts';
import type { Principal } from '../../accounts/types.ts';
import type { Catalog, CatalogModel } from '../../catalog/types.ts';
import type { ModelUse } from '../../engine/types.ts';
import type { ModelMemory, ModelStatus } from '../../engine/pool/model-status.ts';

/** The end of an id under which a model reasons unless the request turns that off. */
const reasoningSuffix = '-r';

export interface NamedModel {
  /** The name in the request: an id or an alias, perhaps with `-r` at the end. */
  readonly name: string;
  readonly model: CatalogModel;
  /** True if the catalog has the name only without its `-r`. */
  readonly isReasoningVariant: boolean;
  /** Names of the models that are fit for something and that the key may use, as words: `'a' or 'b'`; '' for none. */
  readonly others?: (isFit: (model: CatalogModel) => boolean) => string;
}

/** The model called `name`, or else the chat model called so without its `-r`, even if it cannot reason. */
export function findNamedModel(catalog: Catalog, name: string): NamedModel | undefined {
  const own = catalog.find(name);
  if (own !== undefined) return { name, model: own, isReasoningVariant: false };
  const baseName = withoutSuffix(name);
  const base = baseName === undefined || hasSuffix(baseName) ? undefined : catalog.find(baseName);
  return base !== undefined && can(base, 'generate')
    ? { name, model: base, isReasoningVariant: true }
    : undefined;
}

/** The names under which `model` is listed: its id and, if it can reason, `<id>-r`. */
export function listedNames(catalog: Catalog, model: CatalogModel): readonly NamedModel[] {
  const plain = { name: model.id, model, isReasoningVariant: false };
  if (!canReason(model) || hasSuffix(model.id)) return [plain];
  const variant = findNamedModel(catalog, model.id + reasoningSuffix);
  return variant?.isReasoningVariant === true ? [plain, variant] : [plain];
}

/** The aliases of a model. Those of a variant also end in `-r`. */
export function aliasesOf({ model, isReasoningVariant }: NamedModel): readonly string[] {
  if (!isReasoningVariant) return model.aliases;
  return model.aliases.filter((alias) => !hasSuffix(alias)).map((alias) => alias + reasoningSuffix);
}

/** Whether the model reasons under this name without being asked to. */
export function reasonsByDefault({ name, model }: NamedModel): boolean {
  return canReason(model) && hasSuffix(name);
}

/** Of all its files; 0: it has none here. */
export const bytesOnDisk = ({ sizeBytes, projector }: CatalogModel): number =>
  sizeBytes + (projector?.sizeBytes ?? 0);

export const fillsIn = ({ capabilities }: CatalogModel): boolean => capabilities.infill === true;

export function canReason(model: CatalogModel): boolean {
  return can(model, 'generate') && model.capabilities.reasoning;
}

/** `name` without its `-r`; undefined if it has none. */
export function withoutSuffix(name: string): string | undefined {
  return hasSuffix(name) ? name.slice(0, -reasoningSuffix.length) : undefined;
}

function hasSuffix(name: string): boolean {
  return name.endsWith(reasoningSuffix);
}

/** The fields of every request to the engine: its caller, the model, and how long that stays in memory. */
export function toModelUse(
  { id }: CatalogModel,
  { accountId, keyId, isBackground, isPaced }: Principal,
  keepAliveMs?: number,
): ModelUse {
  return {
    modelId: id,
    accountId,
    keyId,
    ...(isBackground === true && { isBackground }),
    ...(isPaced === true && { isPaced }),
    ...(keepAliveMs !== undefined && { keepAliveMs }),
  };
}

/**
 * The tokens that one request to the model can have, prompt and answer together: as it is loaded or would be; where nobody
 * knows that, as it was trained. undefined: nobody has told. `findNeeds` has it found out.
 */
export function contextTokensOf(
  { id, settings, trainContextTokens }: CatalogModel,
  models: Pick<ModelMemory, 'status'>,
): number | undefined {
  const { contextTokens, next } = models.status(id);
  return contextTokens ?? settings.contextTokens ?? next?.contextTokens ?? (trainContextTokens || undefined);
}

/** Whether all servers that run it failed when they were last asked; nobody knows that of a model that runs here. */
export const isFailing = ({ addresses = [] }: ModelStatus): boolean =>
  addresses.length > 0 && addresses.every((address) => address.isFailing);
