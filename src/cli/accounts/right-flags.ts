import type { KeyChange } from '../../accounts/keys.ts';
import { planPrefix } from '../../accounts/types.ts';
import { openCatalog } from '../../assembly/open-catalog.ts';
import { toCanonicalIds } from '../../catalog/canonical-ids.ts';
import type { Config } from '../../config/types.ts';
import { CliError } from '../../errors/operator-errors.ts';
import type { StoreContext } from '../context.ts';
import { connectToServer } from '../server-connection.ts';

import { parseBudgetFlags } from './budget-flags.ts';

const listIn = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** The rights of a key, as flags name them. */
export interface RightFlags {
  readonly models?: string;
  readonly scopes?: string;
  readonly parallel?: string;
  readonly budget?: readonly string[];
}

/** The rights of a key by its flags; those without a flag are undefined. Throws CliError. */
export async function rightsIn(
  { models, scopes, parallel, budget }: RightFlags,
  { config, plans: { plans } }: Pick<StoreContext, 'config' | 'plans'>,
): Promise<Pick<KeyChange, 'allowedModels' | 'scopes' | 'parallel' | 'budgets'>> {
  const list = scopes === undefined ? undefined : scopes === 'all' ? null : listIn(scopes);
  const managed = (list ?? []).filter((scope) => scope.startsWith(planPrefix));
  const unknown = managed.map((scope) => scope.slice(planPrefix.length)).find((plan) => !plans.has(plan));
  if (unknown !== undefined)
    throw new CliError(`--scopes: there is no plan "${unknown}"`, 'see: hearth plans');
  const most = parallel === 'none' ? null : Number(parallel);
  if (parallel !== undefined && Number.isNaN(most))
    throw new CliError('--parallel: must be a number, such as 2');
  return {
    allowedModels:
      models === undefined ? undefined : models === 'all' ? null : await modelIds(config, models),
    scopes: list,
    parallel: parallel === undefined ? undefined : most,
    budgets: parseBudgetFlags(budget),
  };
}

/**
 * The ids of the models that a list names. A running server is asked, because it may have been started with other
 * settings. Throws AppError where there is no such model.
 */
async function modelIds(config: Config, list: string): Promise<string[]> {
  const names = listIn(list);
  const server = await connectToServer(config, 'the models of these settings count');
  if (server === undefined)
    return toCanonicalIds(openCatalog(config, { debug() {}, info() {}, warn() {} }), names);
  try {
    return await Promise.all(names.map(async (name) => (await server.model(name)).id));
  } finally {
    server.close();
  }
}
