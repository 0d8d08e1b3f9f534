import type { Allowance } from '../types.ts';
import type { PlanBook } from '../../accounts/plans.ts';
import { parseList } from '../../accounts/keys.ts';
import { AppError } from '../../errors/errors.ts';
import type { Store } from '../../store/store.ts';
import { Balances, toAllowance } from '../balances.ts';
import { RuleBook } from '../rules.ts';

export interface ModelAllowance extends Allowance {
  /** null: all models that are not listed, of which nothing was used yet. */
  readonly modelId: string | null;
}

export interface Allowances {
  readonly planName: string;
  /** Empty: the plan limits nothing. */
  readonly allowances: readonly ModelAllowance[];
}

/** Stands for all other models: no model has an empty id. */
const anyOtherModel = '';

/** The allowances of a key: of each model that it used or that has own limits, and of all others. Throws not_found. */
export function allowancesOf(store: Store, plans: PlanBook, keyId: string, nowMs: number): Allowances {
  const key = store.keys.byId(keyId);
  if (key === undefined) throw new AppError('not_found', `There is no key "${keyId}".`, { param: 'id' });
  const { plan, planSetAtMs, accountCreatedAtMs: createdAtMs } = key;
  const { name, sinceMs } = plans.inForce({ plan, planSetAtMs, createdAtMs }, nowMs);
  const rules = new RuleBook(plans);
  const ownLimits = plans.plans.get(name)?.modelLimits.keys() ?? [];
  const named = new Set([...store.buckets.modelIds(key.balanceId), ...ownLimits].toSorted());
  const modelIds = parseList(key.allowedModels) ?? [...named, anyOtherModel];
  const allowances = modelIds.flatMap((modelId) => {
    const balances = new Balances(store, keyId, modelId);
    return rules.of(name, modelId).map((rule) => {
      const allowance = toAllowance(balances.under(rule, [sinceMs, plans.sinceMs], nowMs));
      const left = Math.floor(allowance.left);
      return { modelId: modelId === anyOtherModel ? null : modelId, ...allowance, left };
    });
  });
  return { planName: name, allowances };
}
