import { preferredModel } from '../config/demo.ts';
import { CliError } from '../errors/operator-errors.ts';
import { nearestNames } from '../words/nearest-names.ts';

interface Named {
  readonly id: string;
  readonly aliases: readonly string[];
}

const mostNear = 3;

/**
 * The model of this id or alias, else the first one that is no demo; `what` names such models. Throws CliError where there
 * is none.
 */
export function chooseModel<Model extends Named>(
  models: readonly Model[],
  name: string | undefined,
  what: string,
): Model {
  const model =
    name === undefined
      ? preferredModel(models)
      : models.find(({ id, aliases }) => [id, ...aliases].includes(name));
  if (model !== undefined) return model;
  if (name === undefined) throw new CliError(`there is no ${what} yet`, 'get one with: hearth models pull');
  const near = nearestNames(
    name,
    models.flatMap(({ id, aliases }) => [id, ...aliases]),
    mostNear,
  );
  const known = models.map(({ id }) => id).join(', ') || 'none';
  throw new CliError(
    `there is no ${what} "${name}"`,
    near.length > 0 ? `did you mean ${near.join(' or ')}?` : `there are: ${known}`,
  );
}
