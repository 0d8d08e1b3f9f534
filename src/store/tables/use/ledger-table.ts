import { Table } from '../../database.ts';
import type { NewAdmissionRow, UsedRow } from './admission-table.ts';

/** One admitted request and its cost. */
export interface LedgerRow extends NewAdmissionRow, UsedRow {
  readonly settledAtMs: number;
  /** null: the server died before the request ended. */
  readonly status: number | null;
  /** 1: the request itself was given back. */
  readonly refunded: 0 | 1;
  readonly durationMs: number;
  readonly timeToFirstTokenMs: number | null;
}

const columns = `
  admitted_at_ms AS admittedAtMs, settled_at_ms AS settledAtMs, account_id AS accountId, key_id AS keyId,
  model_id AS modelId, route, measures, paid_windows AS paidWindows, status, refunded, prompt_tokens AS promptTokens,
  cached_tokens AS cachedTokens, completion_tokens AS completionTokens, audio_ms AS audioMs,
  duration_ms AS durationMs, time_to_first_token_ms AS timeToFirstTokenMs, usage_source AS usageSource,
  batch_id AS batchId`;

/** The history of requests by time; rows are added and, when old enough, deleted, never changed. */
export class LedgerTable extends Table {
  insert(row: LedgerRow): void {
    // The number within the millisecond is found under the write lock that every insertion holds. Its time is compared as
    // a subquery because SQLite would otherwise plan the whole statement anew for each row.
    this.database.run(
      `INSERT INTO ledger (settled_at_ms, number, admitted_at_ms, account_id, key_id, model_id, route, measures,
                           paid_windows, status, refunded, prompt_tokens, cached_tokens, completion_tokens,
                           audio_ms, duration_ms, time_to_first_token_ms, usage_source, batch_id)
       VALUES (:settledAtMs, (SELECT coalesce(max(number) + 1, 0) FROM ledger WHERE settled_at_ms = (SELECT :settledAtMs)),
               :admittedAtMs, :accountId, :keyId, :modelId, :route, :measures, :paidWindows, :status, :refunded,
               :promptTokens, :cachedTokens, :completionTokens, :audioMs, :durationMs, :timeToFirstTokenMs,
               :usageSource, :batchId)`,
      row,
    );
  }

  /** In the order of settlement by the clock, one at a time. */
  all(): IterableIterator<LedgerRow> {
    return this.database.iterate(`SELECT ${columns} FROM ledger ORDER BY ledger.settled_at_ms, number`);
  }

  /** How many rows settled before `beforeMs` were deleted: at most `atMost`, which keeps the lock short. */
  deleteBefore(beforeMs: number, atMost: number): number {
    const { changes } = this.database.run(
      `DELETE FROM ledger WHERE (settled_at_ms, number) IN
         (SELECT settled_at_ms, number FROM ledger WHERE settled_at_ms < ? LIMIT ?)`,
      beforeMs,
      atMost,
    );
    return changes;
  }
}
