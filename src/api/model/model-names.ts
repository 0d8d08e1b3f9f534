import { can } from '../../model-kinds.ts';
import type { Catalog, CatalogModel } from '../../catalog/types.ts';

/** At the end of an id: the model, reasoning unless told otherwise. */
const reasoningSuffix = '-r';

/** A model under one of the names it answers to. */
export interface NamedModel {
  /** As asked for: an id or an alias, perhaps with `-r` at the end. */
  readonly name: string;
  readonly model: CatalogModel;
  /** The catalog knows the name only without its `-r`. */
  readonly isReasoningVariant: boolean;
}

/**
 * What `name` stands for: a model's own id or alias, or `<id or alias>-r` of a chat model, also of one that cannot
 * reason. undefined where it is neither. A model that really is called so comes before a variant.
 */
export function findNamedModel(catalog: Catalog, name: string): NamedModel | undefined {
  const own = catalog.find(name);
  if (own !== undefined) return { name, model: own, isReasoningVariant: false };
  const baseName = withoutSuffix(name);
  const base = baseName === undefined || hasSuffix(baseName) ? undefined : catalog.find(baseName);
  return base !== undefined && can(base, 'generate')
    ? { name, model: base, isReasoningVariant: true }
    : undefined;
}

/** The names under which `model` is listed: its id, and `<id>-r` where it can reason. */
export function listedNames(catalog: Catalog, model: CatalogModel): readonly NamedModel[] {
  const plain = { name: model.id, model, isReasoningVariant: false };
  if (!canReason(model) || hasSuffix(model.id)) return [plain];
  const variant = findNamedModel(catalog, model.id + reasoningSuffix);
  return variant?.isReasoningVariant === true ? [plain, variant] : [plain];
}

/** The aliases of a model, which for a variant end in `-r` too. */
export function aliasesOf({ model, isReasoningVariant }: NamedModel): readonly string[] {
  if (!isReasoningVariant) return model.aliases;
  return model.aliases.filter((alias) => !hasSuffix(alias)).map((alias) => alias + reasoningSuffix);
}

/** Whether the model thinks under this name without being asked to. */
export function reasonsByDefault({ name, model }: NamedModel): boolean {
  return canReason(model) && hasSuffix(name);
}

export function canReason(model: CatalogModel): boolean {
  return can(model, 'generate') && model.capabilities.reasoning;
}

/** `name` without its `-r`; undefined where it has none. */
export function withoutSuffix(name: string): string | undefined {
  return hasSuffix(name) ? name.slice(0, -reasoningSuffix.length) : undefined;
}

function hasSuffix(name: string): boolean {
  return name.endsWith(reasoningSuffix);
}
