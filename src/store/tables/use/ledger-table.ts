import { columnsOf, Table } from '../../database.ts';
import { requestColumns, type NewAdmissionRow, type UsedRow } from './admission-table.ts';

export interface LedgerRow extends NewAdmissionRow, UsedRow {
  readonly settledAtMs: number;
  /** null: the server died before the request ended. */
  readonly status: number | null;
  /** 1: the request itself was given back. */
  readonly refunded: 0 | 1;
  readonly durationMs: number;
  readonly timeToFirstTokenMs: number | null;
  /** The cost, in millionths of the operator's units, by the prices of its day. */
  readonly microUnits: number;
}

const endColumns = columnsOf('settledAtMs, status, refunded, durationMs, timeToFirstTokenMs, microUnits');

/** The history of requests by time; rows are added and, when old enough, deleted, never changed. */
export class LedgerTable extends Table {
  insert(row: LedgerRow): void {
    // The number within the millisecond is found under the write lock that every insertion holds. Its time is compared as
    // a subquery because SQLite would otherwise plan the whole statement anew for each row.
    this.database.run(
      `INSERT INTO ledger (settled_at_ms, number, admitted_at_ms, account_id, key_id, model_id, route, measures,
                           paid_windows, status, refunded, prompt_tokens, cached_tokens, completion_tokens,
                           audio_ms, duration_ms, time_to_first_token_ms, usage_source, batch_id, micro_units)
       VALUES (:settledAtMs, (SELECT coalesce(max(number) + 1, 0) FROM ledger WHERE settled_at_ms = (SELECT :settledAtMs)),
               :admittedAtMs, :accountId, :keyId, :modelId, :route, :measures, :paidWindows, :status, :refunded,
               :promptTokens, :cachedTokens, :completionTokens, :audioMs, :durationMs, :timeToFirstTokenMs,
               :usageSource, :batchId, :microUnits)`,
      row,
    );
  }

  /** In the order of settlement by the clock, one at a time. */
  all(): IterableIterator<LedgerRow> {
    const sql = `SELECT ${requestColumns}, ${endColumns} FROM ledger ORDER BY ledger.settled_at_ms, number`;
    return this.database.iterate(sql);
  }

  /** How many rows settled before `beforeMs` were deleted: at most `atMost`, which keeps the lock short. */
  deleteBefore(beforeMs: number, atMost: number): number {
    return this.deleteSome('ledger', 'settled_at_ms, number', 'settled_at_ms < ?', beforeMs, atMost);
  }
}
