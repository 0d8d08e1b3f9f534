import { measureNames, measures } from '../../accounts/plans.ts';
import type { Balance } from '../balances.ts';
import { msUntilFull, splitLevel } from '../bucket.ts';
import { isTokens, unitsPer } from '../rules.ts';

/** A time as Go prints it: `0s`, `250ms`, `1s`, `6m0s`, `720h0m0s`; rounded up to seconds from one second on. */
export function formatGoDuration(durationMs: number): string {
  if (durationMs > 0 && durationMs < 1000) return `${Math.ceil(durationMs)}ms`;
  const totalSeconds = Math.ceil(durationMs / 1000);
  const seconds = `${totalSeconds % 60}s`;
  if (totalSeconds < 60) return seconds;
  const totalMinutes = Math.floor(totalSeconds / 60);
  const minutes = `${totalMinutes % 60}m${seconds}`;
  return totalMinutes < 60 ? minutes : `${Math.floor(totalMinutes / 60)}h${minutes}`;
}

/** The one that is nearest to refusing: it holds least or, of those that hold the same, takes longest to fill. */
function tightest(balances: readonly Balance[]): Balance | undefined {
  const unitsOf = ({ bucket }: Balance) => splitLevel(bucket).units;
  const [first] = balances.toSorted(
    (a, b) => unitsOf(a) - unitsOf(b) || msUntilFull(b.bucket) - msUntilFull(a.bucket),
  );
  return first;
}

/** The `x-ratelimit-*` headers: per measure the tightest window, and `-tokens` for clients that know one kind only. */
export function rateLimitHeaders(balances: readonly Balance[]): Record<string, string> {
  const headers: Record<string, string> = {};
  const show = (name: string, candidates: readonly Balance[]) => {
    const balance = tightest(candidates);
    if (balance === undefined) return;
    const { bucket, measure } = balance;
    const remaining = Math.floor(splitLevel(bucket).units / unitsPer[measure]);
    headers[`x-ratelimit-limit-${name}`] = String(bucket.limit / unitsPer[measure]);
    headers[`x-ratelimit-remaining-${name}`] = String(Math.max(0, remaining));
    headers[`x-ratelimit-reset-${name}`] = formatGoDuration(msUntilFull(bucket));
  };
  for (const measure of measures) {
    show(
      measureNames[measure].replaceAll('_', '-'),
      balances.filter((balance) => balance.measure === measure),
    );
  }
  show(
    'tokens',
    balances.filter(({ measure }) => isTokens(measure)),
  );
  return headers;
}
