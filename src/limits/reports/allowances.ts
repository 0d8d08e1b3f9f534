import type { PlanBook, Measure, Window } from '../../accounts/plans.ts';
import { parseList } from '../../accounts/keys.ts';
import { AppError } from '../../errors/errors.ts';
import type { Store } from '../../store/store.ts';
import { Balances } from '../balances.ts';
import { msUntilFull, splitLevel } from '../bucket.ts';
import { RuleBook, unitsPer } from '../rules.ts';

/** One limit of a key, with the units that are left of it. */
export interface Allowance {
  /** null: all models that are not listed, of which nothing was used yet. */
  readonly modelId: string | null;
  readonly measure: Measure;
  readonly window: Window;
  /** Most that may be used per window. */
  readonly limit: number;
  /** Below zero: more was used than there was, and that refills first. */
  readonly left: number;
  /** Until all of it is there again, if nothing is used meanwhile. */
  readonly fullInMs: number;
}

export interface Allowances {
  /** The plan in force. */
  readonly planName: string;
  /** Empty: the plan limits nothing. */
  readonly allowances: readonly Allowance[];
}

/** Stands for all other models: no model has an empty id. */
const anyOtherModel = '';

/**
 * The allowances of the key `keyId` under its plan in force: for each model that it used, for each with own limits in
 * the plan, and for all others as one. Throws AppError not_found.
 */
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
    return rules.of(name, modelId).map((rule): Allowance => {
      const { bucket } = balances.under(rule, [sinceMs, plans.sinceMs], nowMs);
      const unit = unitsPer[rule.measure];
      return {
        modelId: modelId === anyOtherModel ? null : modelId,
        measure: rule.measure,
        window: rule.window,
        limit: rule.limitUnits / unit,
        left: Math.floor(splitLevel(bucket).units / unit),
        fullInMs: msUntilFull(bucket),
      };
    });
  });
  return { planName: name, allowances };
}
