import type { UsedRow } from './admission-table.ts';
import { Table } from '../../database.ts';

export type UsageGrouping = 'account' | 'key' | 'model' | 'day';

export interface UsageFilter {
  readonly accountId: string | null;
  readonly keyId: string | null;
  /** A key, with all that use the balances which it uses. */
  readonly payerId: string | null;
  readonly modelId: string | null;
  /** Settled at or after. */
  readonly fromMs: number;
  /** Settled before. */
  readonly toMs: number;
  /** Sums are per period of this length; Infinity: one for all time. */
  readonly periodMs: number;
}

export interface UsageRow extends Omit<UsedRow, 'usageSource'> {
  /** When the period begins, Unix ms; 0: there is only one. */
  readonly startMs: number;
  /** Account id, key id, model id, or a UTC day such as 2026-11-20. */
  readonly group: string;
  /** Account name, that with the key's name and redacted value, or the group itself. */
  readonly label: string;
  readonly requests: number;
  /** Of the requests, those that were given back. */
  readonly refunded: number;
  /** Of the requests, those that failed by no fault of the client. */
  readonly failed: number;
  /** Requests that limits refused, which are not among `requests`. */
  readonly refused: number;
  /** Of the operator's; 0: nothing that was used had a price. */
  readonly units: number;
}

const day = "strftime('%Y-%m-%d', ledger.settled_at_ms / 1000, 'unixepoch')";
const groupings: Record<UsageGrouping, { group: string; label: string }> = {
  account: {
    group: 'ledger.account_id',
    label: '(SELECT name FROM accounts WHERE id = ledger.account_id)',
  },
  key: {
    group: 'ledger.key_id',
    label: `(SELECT accounts.name || ': ' || trim(keys.name || ' ' || redacted) FROM keys
      JOIN accounts ON accounts.id = keys.account_id WHERE keys.id = ledger.key_id)`,
  },
  model: { group: 'ledger.model_id', label: 'ledger.model_id' },
  day: { group: day, label: day },
};

/** Longer than any time that a row can have, and still an exact number. */
const longestPeriodMs = Number.MAX_SAFE_INTEGER;

/** Sums over the ledger, and over the requests that limits refused. */
export class UsageQueries extends Table {
  /** When the oldest and the newest row were settled; undefined: there is none. */
  span(): { firstMs: number; lastMs: number } | undefined {
    // Look-ups by the primary keys; one aggregate with both ends would scan a table.
    const span = this.database.first<{ firstMs: number | null; lastMs: number | null }>(
      `SELECT min(firstMs) AS firstMs, max(lastMs) AS lastMs FROM (
         SELECT (SELECT min(settled_at_ms) FROM ledger) AS firstMs, (SELECT max(settled_at_ms) FROM ledger) AS lastMs
         UNION ALL SELECT (SELECT min(minute_ms) FROM refusals), (SELECT max(minute_ms) FROM refusals))`,
    );
    const { firstMs = null, lastMs = null } = span ?? {};
    return firstMs === null || lastMs === null ? undefined : { firstMs, lastMs };
  }

  sum(by: UsageGrouping, filter: UsageFilter): UsageRow[] {
    const { group, label } = groupings[by];
    return this.database.all(
      `SELECT settled_at_ms - settled_at_ms % :periodMs AS startMs, ${group} AS "group", coalesce(${label}, ${group}) AS label,
              sum(requests) AS requests, sum(refunded) AS refunded, sum(failed) AS failed, sum(refused) AS refused,
              sum(prompt_tokens) AS promptTokens, sum(cached_tokens) AS cachedTokens,
              sum(completion_tokens) AS completionTokens, sum(audio_ms) AS audioMs, sum(micro_units) / 1e6 AS units
       FROM (SELECT settled_at_ms, account_id, key_id, model_id, 1 AS requests, refunded,
                    coalesce(status, 500) >= 500 AS failed, 0 AS refused, prompt_tokens, cached_tokens,
                    completion_tokens, audio_ms, micro_units
             FROM ledger WHERE settled_at_ms >= :fromMs AND settled_at_ms < :toMs
             UNION ALL
             SELECT minute_ms, account_id, key_id, model_id, 0, 0, 0, count, 0, 0, 0, 0, 0
             FROM refusals WHERE minute_ms >= :fromMs AND minute_ms < :toMs) AS ledger
       WHERE (:accountId IS NULL OR account_id = :accountId)
         AND (:keyId IS NULL OR key_id = :keyId)
         AND (:payerId IS NULL OR key_id IN (SELECT id FROM keys WHERE balance_id =
           (SELECT balance_id FROM keys WHERE id = :payerId)))
         AND (:modelId IS NULL OR model_id = :modelId)
       GROUP BY 1, 2`,
      { ...filter, periodMs: Math.min(filter.periodMs, longestPeriodMs) },
    );
  }
}
