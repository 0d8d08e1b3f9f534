import type { KeyChange } from '../../accounts/keys.ts';
import type { PlanBook } from '../../accounts/plan-book.ts';
import { planPrefix } from '../../accounts/scopes.ts';
import { openCatalog } from '../../assembly/open-catalog.ts';
import { toCanonicalIds } from '../../catalog/canonical-ids.ts';
import type { Config } from '../../config/types.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { connectToServer } from '../server-connection.ts';

const listIn = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** What the flags say that a key may do beside its models; undefined: nothing. Throws CliError. */
export function rightsIn(
  { scopes, parallel }: { readonly scopes?: string; readonly parallel?: string },
  { plans }: PlanBook,
): Pick<KeyChange, 'scopes' | 'parallel'> {
  const list = scopes === undefined ? undefined : scopes === 'all' ? null : listIn(scopes);
  const managed = (list ?? []).filter((scope) => scope.startsWith(planPrefix));
  const unknown = managed.map((scope) => scope.slice(planPrefix.length)).find((plan) => !plans.has(plan));
  if (unknown !== undefined)
    throw new CliError(`--scopes: there is no plan "${unknown}"`, 'see: hearth plans');
  const most = parallel === 'none' ? null : Number(parallel);
  if (parallel !== undefined && Number.isNaN(most))
    throw new CliError('--parallel: must be a number, such as 2');
  return { scopes: list, parallel: parallel === undefined ? undefined : most };
}

/**
 * The ids of the models that a list names. A running server is asked, because it may have been started with other
 * settings. Throws AppError where there is no such model.
 */
export async function modelIds(config: Config, list: string): Promise<string[]> {
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
