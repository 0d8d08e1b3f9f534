import type { Principal } from '../../accounts/types.ts';
import type { Routes } from '../add-routes.ts';
import { getOwnUsage } from '../admin/usage.ts';
import type { AppDeps } from '../env.ts';
import { mayUse } from '../model/find-model.ts';
import { toSecondsOrNull, toWireBudget } from '../admin/convert.ts';
import { ownerOf } from '../../limits/reports/refusal.ts';
import { usageList } from '../admin/response-schema.ts';
import { ownUsageQuery } from '../admin/schema.ts';
import { json, operationsOf } from '../openapi/operation.ts';
import { z } from 'zod';
import { measureNames, windows, type Measure } from '../../accounts/plans.ts';
import { modelKinds } from '../../model-kinds.ts';
import type { Allowance } from '../../limits/types.ts';
import { budget, time } from '../openapi/shared-schemas.ts';
import { namedObject } from '../openapi/json-schema.ts';

const limit = namedObject('Limit', {
  object: z.literal('limit'),
  model: z.string().min(1),
  measure: z.enum(measureNames),
  window: z.enum(windows).describe('The time in which all of it refills.'),
  limit: z.number().min(0),
  remaining: z.number().describe('Below 0 where more was used than there was.'),
  full_in_seconds: z.int().min(0),
});

export const limitList = namedObject('LimitList', {
  object: z.literal('list'),
  account: z.string().describe('Its name.'),
  plan: z.string().describe('The plan that holds for the account now.'),
  plan_ends_at: time.nullable().describe('When the trial ends, and the plan `reduced` holds. Unix seconds.'),
  data: z.array(limit),
  budgets: z
    .array(budget.extend({ owner: z.enum(['key', 'account']) }))
    .describe('Of all models together, of the key and of its account.'),
});

function toWireLimit(model: string, { measure, window, limit: all, left, fullInMs }: Allowance) {
  return {
    object: 'limit',
    model,
    measure: measureNames[measure],
    window,
    limit: all,
    remaining: left,
    full_in_seconds: Math.ceil(fullInMs / 1000),
  };
}

export const limitOperations = operationsOf(['Models', 'user'], {
  getLimits: {
    route: 'GET /v1/limits',
    summary: 'What the key may still use of each model',
    description: 'This request is not metered. A model without limits has no entry.',
    answer: json(limitList, 'All limits of the key.'),
  },
  getOwnUsage: {
    route: 'GET /v1/usage',
    summary: 'What the key has used',
    description:
      'In the last 7 days unless `since` says otherwise, by model unless `by` does. It is not metered.',
    query: ownUsageQuery,
    answer: json(usageList, 'One sum for each group.'),
  },
});

type LimitDeps = Pick<AppDeps, 'catalog' | 'limiter'>;

export const limitRoutes = (deps: AppDeps): Routes => ({
  '/v1/limits': { GET: (c) => c.json(limitsOf(deps, c.get('principal'))) },
  '/v1/usage': { GET: (c) => getOwnUsage(c, deps) },
});

/** The limits of a key for all models that it may use, in the models' measures; a model without any has no entry. */
export function limitsOf({ catalog, limiter }: LimitDeps, principal: Principal) {
  const data = catalog
    .list()
    .filter((model) => mayUse(principal, model))
    .flatMap(({ id, kind }) => {
      const measures: readonly Measure[] = modelKinds[kind].measures;
      return limiter
        .allowances(principal, id)
        .filter(({ measure }) => measures.includes(measure))
        .map((allowance) => toWireLimit(id, allowance));
    });
  const budgets = limiter.budgets(principal).map((one) => ({ ...toWireBudget(one), owner: ownerOf(one) }));
  const { accountName: account, planName: plan, planEndsAtMs = null } = principal;
  return { object: 'list', account, plan, plan_ends_at: toSecondsOrNull(planEndsAtMs), data, budgets };
}
