import type { Store } from '../store/store.ts';
import type { UsageGrouping } from '../store/usage-queries.ts';

export type { UsageGrouping } from '../store/usage-queries.ts';

export const usageGroupings: readonly UsageGrouping[] = ['account', 'key', 'model', 'day'];

export interface UsageQuery {
  readonly by: UsageGrouping;
  /** Settled at or after, Unix ms; default: all that is kept. */
  readonly fromMs?: number | undefined;
  /** Settled before, Unix ms; default: now and later. */
  readonly toMs?: number | undefined;
  readonly accountId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly modelId?: string | undefined;
}

export interface Usage {
  /** Account id, key id, model id, or a UTC day such as 2026-11-20. */
  readonly group: string;
  /** The same for people: an account's name, a key's name and redacted value. */
  readonly label: string;
  /** Admitted ones; a refused request leaves no trace. */
  readonly requests: number;
  /** Of these, the ones that were given back. */
  readonly refunded: number;
  readonly promptTokens: number;
  /** Of the prompt tokens, the ones that came from the cache. */
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly audioSeconds: number;
}

/** Sums of the ledger, one per group that used anything, in the order of the group. */
export function queryUsage(store: Store, query: UsageQuery): Usage[] {
  const rows = store.usage.sum(query.by, {
    accountId: query.accountId ?? null,
    keyId: query.keyId ?? null,
    modelId: query.modelId ?? null,
    fromMs: query.fromMs ?? Number.MIN_SAFE_INTEGER,
    toMs: query.toMs ?? Number.MAX_SAFE_INTEGER,
  });
  return rows.map(({ audioMs, ...row }) => ({ ...row, audioSeconds: audioMs / 1000 }));
}
