import type { Store } from '../store/store.ts';

/** Few enough for a running server. */
export const ledgerBatchRows = 1_000;

/** How many ledger rows older than `retentionMs` were deleted: one batch; undefined keeps everything. */
export function deleteOldLedgerRows(store: Store, retentionMs: number | undefined, nowMs: number): number {
  return retentionMs === undefined ? 0 : store.ledger.deleteBefore(nowMs - retentionMs, ledgerBatchRows);
}
