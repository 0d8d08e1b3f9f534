import { windowMs } from '../../accounts/plans.ts';
import { queryUsage, type Usage } from '../../limits/reports/usage.ts';
import type { Store } from '../../store/store.ts';
import type { Finding } from './finding.ts';

const spanMs = 7 * windowMs.day;
const mostKeys = 5;
/** A key with this many requests of at least this many tokens each sends long prompts again and again, as agents do. */
const manyRequests = 5;
const longPromptTokens = 4000;
const fewCached = 0.5;

/** How much of their prompts the keys that sent most in the last week found in the cache, so that a spoiled one is seen. */
export function cacheFindings(store: Store, nowMs: number): Finding[] {
  return queryUsage(store, { by: 'key', fromMs: nowMs - spanMs })
    .filter(({ promptTokens }) => promptTokens > 0)
    .toSorted((a, b) => b.promptTokens - a.promptTokens)
    .slice(0, mostKeys)
    .map(toFinding);
}

function toFinding({ label, requests, promptTokens, cachedTokens }: Usage): Finding {
  const share = cachedTokens / promptTokens;
  const isSpoiled =
    requests >= manyRequests && promptTokens / requests >= longPromptTokens && share < fewCached;
  const remedy =
    'something early in its prompts changes each time: the page about agents tells what spoils the cache';
  return {
    subject: 'cache',
    ok: true,
    finding: `${label}: ${Math.floor(share * 100)} % of ${promptTokens.toLocaleString('en')} prompt tokens of a week came from the cache`,
    ...(isSpoiled && { remedy }),
  };
}
