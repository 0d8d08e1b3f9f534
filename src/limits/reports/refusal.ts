import { measureNames } from '../../accounts/plans.ts';
import { AppError } from '../../errors/errors.ts';
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

/**
 * The 402 for a key whose budget of tokens is used up: unlike a plan's limits, it does not refill. Agents tell their user
 * so and end, where they would try a 429 again for minutes.
 */
export function toBudgetError(): AppError {
  const message = 'The budget of this key is used up: it has no tokens left, and waiting brings none back.';
  return new AppError('insufficient_quota', message);
}

/** The 429 for `balances`, at least one of which refuses; Retry-After is the longest of their waits. */
export function toRateLimitError(modelId: string, balances: readonly Balance[]): AppError {
  const slowest = slowestOf(balances);
  const retryAfterSeconds = slowest === undefined ? 1 : secondsUntilAdmitted(slowest);
  const what =
    slowest === undefined ? '' : ` (${measureNames[slowest.measure]} per ${windowNames[slowest.window]})`;
  const wait = retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`;
  return new AppError(
    'rate_limit_exceeded',
    `Rate limit reached. Try again in ${wait}: this key has no allowance left for the model "${modelId}"${what}.`,
    { retryAfterSeconds, headers: rateLimitHeaders(balances) },
  );
}
