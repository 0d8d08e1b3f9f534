import type { Handler } from 'hono';
import type { Principal } from '../../accounts/types.ts';
import type { Routes } from '../add-routes.ts';
import { getOwnUsage } from '../admin/usage.ts';
import type { AppDeps, AppEnv } from '../env.ts';
import { mayUse } from '../model/find-model.ts';
import { toWireBudget } from '../admin/convert.ts';
import { ownerOf } from '../../limits/reports/refusal.ts';
import { toWireLimit } from './operation.ts';

type LimitDeps = Pick<AppDeps, 'catalog' | 'limiter'>;

export const limitRoutes = (deps: AppDeps): Routes => ({
  '/v1/limits': { GET: getLimits(deps) },
  '/v1/usage': { GET: getOwnUsage(deps) },
});

/** GET /v1/limits: how much of each model the key of the request may still use. */
function getLimits(deps: LimitDeps): Handler<AppEnv> {
  return (c) => c.json(limitsOf(deps, c.get('principal')));
}

/** The limits of a key for all models that it may use; a model without limits has no entry. */
export function limitsOf({ catalog, limiter }: LimitDeps, principal: Principal) {
  const data = catalog
    .list()
    .filter((model) => mayUse(principal, model))
    .flatMap(({ id }) => limiter.allowances(principal, id).map((allowance) => toWireLimit(id, allowance)));
  const budgets = limiter
    .budgets(principal)
    .map((budget) => ({ ...toWireBudget(budget), owner: ownerOf(budget) }));
  return { object: 'list', data, budgets };
}
