import { budgetMeasureNames, budgetUnits, perPeriod, type LiveBudget } from '../accounts/budgets/budget.ts';
import { measureInWords } from '../words/in-words.ts';
import { ownerOf } from '../limits/reports/refusal.ts';
import type { Store } from '../store/store.ts';
import type { Notices } from './notices.ts';

/** The shares of a budget that are told, in per cent. */
const shares = [
  [100, 'budget.exhausted'],
  [80, 'budget.warning'],
] as const;

/**
 * Tells that a budget is used up, or nearly: each once in its period, and again where its limit was changed. Of two that one
 * charge reaches, the greater is told alone: both would have the same time, and so no order.
 */
export function noteBudget(notices: Notices, store: Store, budget: LiveBudget, accountId: string): void {
  const { ownerId, measure, period, periodStart, limit, used, resetsAtMs } = budget;
  const measureName = budgetMeasureNames[measure];
  const toWhole = (amount: number) => Math.round(amount * budgetUnits[measure]);
  // In whole numbers, and these small enough to be exact.
  const reached = shares.find(([share]) => toWhole(used) * 5 >= toWhole(limit) * (share / 20));
  if (reached === undefined) return;
  const [share, kind] = reached;
  notices.note(`budget ${ownerId} ${measure} ${period} ${periodStart} ${limit} ${share}`, () => {
    const account = store.accounts.byIdEvenRemoved(accountId)?.name ?? accountId;
    const owner = ownerOf(budget);
    const key = owner === 'key' ? store.keys.byId(ownerId) : undefined;
    const whose =
      key === undefined ? `the account ${account}` : `the key ${key.name || key.id} of ${account}`;
    const budgetInWords = `${limit} ${measureInWords(limit, measureName)}${perPeriod(period)}`;
    return {
      kind,
      accountId,
      message:
        share === 100
          ? `The budget of ${whose} is used up: ${budgetInWords}.`
          : `${share}% of the budget of ${whose} is used: ${budgetInWords}.`,
      data: {
        account,
        owner,
        key_id: key?.id ?? null,
        measure: measureName,
        period,
        limit,
        used,
        percent: share,
        resets_at: resetsAtMs === null ? null : new Date(resetsAtMs).toISOString(),
      },
    };
  });
}
