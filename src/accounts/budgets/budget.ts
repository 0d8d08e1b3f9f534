import type { BudgetMeasure, BudgetPeriod, BudgetRow } from '../../store/tables/use/budget-table.ts';
import type { Calendar } from './calendar.ts';
import { microUnits } from './price.ts';
import type { Store } from '../../store/store.ts';

export type { BudgetMeasure } from '../../store/tables/use/budget-table.ts';

/** The measures of budgets, each with its name in the API and in metrics. */
export const budgetMeasureNames = {
  tokens: 'tokens',
  requests: 'requests',
  audioSeconds: 'audio_seconds',
  units: 'units',
} as const satisfies Record<BudgetMeasure, string>;

export const budgetMeasures = Object.keys(budgetMeasureNames) as readonly BudgetMeasure[];

/** Behind an amount: ` per day`. */
export const perPeriod = (period: BudgetPeriod) => (period === 'ever' ? '' : ` per ${period}`);

export type BudgetUnits = Readonly<Record<BudgetMeasure, number>>;

/** Units of account per whole of a measure. */
export const budgetUnits: BudgetUnits = {
  tokens: 1,
  requests: 1,
  audioSeconds: 1000,
  units: microUnits,
};

/** Most units of a budget: of their millionths a number holds every one. */
export const greatestUnits = 1e9;

/** Most that may be used in each period; a measure or period that is missing has no limit. */
export type BudgetLimits<Limit = number> = Readonly<
  Partial<Record<BudgetMeasure, Readonly<Partial<Record<BudgetPeriod, Limit | undefined>>> | undefined>>
>;

/** A budget of a key over all models, or of an account over all its keys, as it is now. */
export interface Budget extends Omit<BudgetRow, 'limitUnits' | 'periodStart'> {
  /** In tokens, requests, seconds or units. */
  readonly limit: number;
  /** Below 0: more was used. */
  readonly left: number;
  /** Unix ms; null: never. */
  readonly resetsAtMs: number | null;
  /** It comes with the account's plan. */
  readonly isOfPlan: boolean;
}

/** A budget and the date on which its current period began. */
export interface LiveBudget extends Budget {
  readonly periodStart: string;
}

/** A budget without its use. */
export const toLimit = ({ measure, period, limit }: Budget) => ({ measure, period, limit });

/** `limits` one by one. */
export function listLimits<Limit>(
  limits: BudgetLimits<Limit>,
): { measure: BudgetMeasure; period: BudgetPeriod; limit: Limit }[] {
  return budgetMeasures.flatMap((measure) =>
    Object.entries(limits[measure] ?? {}).flatMap(([period, limit]) =>
      limit === undefined ? [] : [{ measure, period: period as BudgetPeriod, limit }],
    ),
  );
}

/** The budgets of one owner at `nowMs`: those of its rows, and those of its plan that no row replaces. */
export function liveBudgets(
  ownerId: string,
  rows: readonly BudgetRow[],
  planned: BudgetLimits,
  calendar: Calendar,
  nowMs: number,
): LiveBudget[] {
  const own = rows.filter((row) => row.ownerId === ownerId);
  const find = (measure: BudgetMeasure, period: BudgetPeriod) =>
    own.find((row) => row.measure === measure && row.period === period);
  const ofPlan = listLimits(planned).filter(({ measure, period }) => !find(measure, period)?.limitUnits);
  return [
    ...own.flatMap((row) => (row.limitUnits === null ? [] : [toLive(row, row.limitUnits, false)])),
    ...ofPlan.map(({ measure, period, limit }) => {
      const row = find(measure, period) ?? { measure, period, used: 0, periodStart: '' };
      return toLive(row, limit * budgetUnits[measure], true);
    }),
  ];

  function toLive(
    {
      measure,
      period,
      used: stored,
      periodStart,
    }: Pick<BudgetRow, 'measure' | 'period' | 'used' | 'periodStart'>,
    limitUnits: number,
    isOfPlan: boolean,
  ): LiveBudget {
    const { span, isNew } = calendar.next(period, periodStart, nowMs);
    const used = isNew ? 0 : stored;
    const unit = budgetUnits[measure];
    return {
      ownerId,
      measure,
      period,
      limit: limitUnits / unit,
      used: used / unit,
      left: (limitUnits - used) / unit,
      resetsAtMs: period === 'ever' ? null : span.endsAtMs,
      isOfPlan,
      periodStart: span.start,
    };
  }
}

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

/** Sets those that `limits` names, and removes those that are null there; their use so far stays. */
export function setBudgets(store: Store, ownerId: string, limits: BudgetLimits<number | null>): void {
  for (const { measure, period, limit } of listLimits(limits)) {
    const units = limit === null ? null : Math.round(limit * budgetUnits[measure]);
    store.budgets.setLimit(ownerId, measure, period, units);
  }
}
