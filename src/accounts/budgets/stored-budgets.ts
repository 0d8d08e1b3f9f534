import type { Store } from '../../store/store.ts';
import { budgetUnits, listLimits, liveBudgets, type Budget, type BudgetLimits } from './budget.ts';
import type { Calendar } from './calendar.ts';

/** The budgets of an account or of a key's balances; `planned` are those that come with the account's plan. */
export function budgetsOf(
  store: Store,
  ownerId: string,
  calendar: Calendar,
  nowMs: number,
  planned: BudgetLimits = {},
): Budget[] {
  return liveBudgets(ownerId, store.budgets.ofOwner(ownerId), planned, calendar, nowMs);
}

/** Sets those that `limits` names, and removes those that are null there; what was used stays. */
export function setBudgets(store: Store, ownerId: string, limits: BudgetLimits<number | null>): void {
  for (const { measure, period, limit } of listLimits(limits)) {
    const units = limit === null ? null : Math.round(limit * budgetUnits[measure]);
    store.budgets.setLimit(ownerId, measure, period, units);
  }
}
