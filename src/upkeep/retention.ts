import type { Clock } from '../accounts/types.ts';
import type { Store } from '../store/store.ts';

/** Batches are small enough for a running server: a ledger row is short, a response may have thousands of items. */
export const ledgerBatchRows = 1000;
const responseBatchRows = 50;
const intervalMs = 3_600_000;
const pauseMs = 50;

export interface RetentionDeps {
  readonly store: Store;
  /** undefined: keep the whole ledger. */
  readonly ledgerRetentionMs: number | undefined;
  readonly now: Clock;
  readonly onError: (error: unknown) => void;
}

/** Deletes what is too old now and every hour, batch by batch; calling what it returns stops it. */
export function startRetention({ store, ledgerRetentionMs, now, onError }: RetentionDeps): () => void {
  let timer: NodeJS.Timeout | undefined;
  const run = () => {
    let isMore = false;
    try {
      const ledgerRows = deleteOldLedgerRows(store, ledgerRetentionMs, now());
      const responses = store.responses.deleteExpired(now(), responseBatchRows);
      isMore = ledgerRows === ledgerBatchRows || responses === responseBatchRows;
    } catch (error) {
      onError(error);
    }
    timer = setTimeout(run, isMore ? pauseMs : intervalMs).unref();
  };
  run();
  return () => clearTimeout(timer);
}

/** How many ledger rows older than `retentionMs` were deleted: one batch at most; undefined keeps everything. */
export function deleteOldLedgerRows(store: Store, retentionMs: number | undefined, nowMs: number): number {
  return retentionMs === undefined ? 0 : store.ledger.deleteBefore(nowMs - retentionMs, ledgerBatchRows);
}
