import { preferredModel } from '../config/demo.ts';
import { CliError } from '../errors/operator-errors.ts';

interface Named {
  readonly id: string;
  readonly aliases: readonly string[];
}

/**
 * The id of the model of this id or alias, else of the first one that is no demo; `what` names such models. Throws
 * CliError.
 */
export function idOfModel(models: readonly Named[], name: string | undefined, what: string): string {
  const model =
    name === undefined
      ? preferredModel(models)
      : models.find(({ id, aliases }) => [id, ...aliases].includes(name));
  if (model !== undefined) return model.id;
  if (name === undefined) throw new CliError(`there is no ${what} yet`, 'get one with: hearth models pull');
  const known = models.map(({ id }) => id).join(', ') || 'none';
  throw new CliError(`there is no ${what} "${name}"`, `there are: ${known}`);
}
