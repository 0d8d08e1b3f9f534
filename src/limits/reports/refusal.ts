import { budgetMeasureNames, perPeriod, type Budget } from '../../accounts/budgets/budget.ts';
import { measureNames } from '../../accounts/plans.ts';
import { AppError } from '../../errors/errors.ts';
import { inWords, measureInWords } from '../../words/in-words.ts';
import type { Balance } from '../balances.ts';
import { secondsUntil } from '../bucket.ts';
import { rateLimitHeaders } from './headers.ts';

const windowNames: Readonly<Record<Balance['window'], string>> = {
  minute: 'minute',
  hour: 'hour',
  day: 'day',
  '30d': 'month (30 days)',
};

/** Whole seconds until a balance admits; 0: now. For requests it needs one whole unit, else any amount above zero. */
export function secondsUntilAdmitted({ measure, bucket }: Balance): number {
  return secondsUntil(bucket, measure === 'requests' ? 'unit' : 'positive');
}

/** The one of `balances` that refuses for longest; undefined when none does. */
export function slowestOf(balances: readonly Balance[]): Balance | undefined {
  const refusing = balances.filter((balance) => secondsUntilAdmitted(balance) > 0);
  return refusing.toSorted((a, b) => secondsUntilAdmitted(a) - secondsUntilAdmitted(b)).at(-1);
}

/** Whose budget it is. */
export const ownerOf = ({ ownerId }: Budget) => (ownerId.startsWith('acct_') ? 'account' : 'key');

/**
 * The 402 for a budget that is used up: unlike a plan's limits, it does not refill by itself, or only when its day,
 * week or month is over. Agents tell their user so and end, where they would try a 429 again for minutes. A batch waits
 * for the next period, so its lines get a 429.
 */
export function toBudgetError(budget: Budget, nowMs: number, isBatch: boolean): AppError {
  const { measure, period, limit, resetsAtMs } = budget;
  const what = inWords(budgetMeasureNames[measure]);
  if (resetsAtMs === null) {
    const message = `The budget of this ${ownerOf(budget)} is used up: it has no ${what} left, and waiting brings none back.`;
    return new AppError('insufficient_quota', message);
  }
  const atTime = new Date(resetsAtMs).toISOString().replace('.000', '');
  return new AppError(
    isBatch ? 'rate_limit_exceeded' : 'insufficient_quota',
    `The budget of this ${ownerOf(budget)} is used up: ${limit} ${measureInWords(limit, budgetMeasureNames[measure])}${perPeriod(period)}. It is full again at ${atTime}.`,
    { retryAfterSeconds: Math.max(1, Math.ceil((resetsAtMs - nowMs) / 1000)) },
  );
}

/** The 429 for a key that runs as many requests as it may. */
export function toParallelError(parallel: number): AppError {
  const runs = parallel === 1 ? '1 request' : `${parallel} requests`;
  return new AppError(
    'rate_limit_exceeded',
    `This key runs ${runs} already, and may run no more at once. Try again when one has ended.`,
    { retryAfterSeconds: 1 },
  );
}

/** The 429 for a budget whose rest requests in flight may use. */
export function toReservedError(budget: Budget): AppError {
  return new AppError(
    'rate_limit_exceeded',
    `Other requests may use what the budget of this ${ownerOf(budget)} has left (${inWords(budgetMeasureNames[budget.measure])}${perPeriod(budget.period)}). Try again when they have ended, or ask for fewer tokens.`,
    { retryAfterSeconds: 1 },
  );
}

/** The 429 for `balances`, at least one of which refuses; Retry-After is the longest of their waits. */
export function toRateLimitError(modelId: string, balances: readonly Balance[]): AppError {
  const slowest = slowestOf(balances);
  const retryAfterSeconds = slowest === undefined ? 1 : secondsUntilAdmitted(slowest);
  const what =
    slowest === undefined
      ? ''
      : ` (${inWords(measureNames[slowest.measure])} per ${windowNames[slowest.window]})`;
  const wait = retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`;
  return new AppError(
    'rate_limit_exceeded',
    `Rate limit reached. Try again in ${wait}: this key has no allowance left for the model "${modelId}"${what}.`,
    { retryAfterSeconds, headers: rateLimitHeaders(balances) },
  );
}
