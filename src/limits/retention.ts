import type { Clock } from '../accounts/types.ts';
import type { Store } from '../store/store.ts';

const batchRows = 1_000;
const intervalMs = 3_600_000;

/** How many ledger rows older than `retentionMs` were deleted: one batch, short enough for a running server. */
export function deleteOldLedgerRows(store: Store, retentionMs: number | undefined, nowMs: number): number {
  return retentionMs === undefined ? 0 : store.ledger.deleteBefore(nowMs - retentionMs, batchRows);
}

export interface RetentionDeps {
  readonly store: Store;
  /** undefined: keep everything. */
  readonly retentionMs: number | undefined;
  readonly now: Clock;
  readonly onError: (error: unknown) => void;
}

/** Deletes old rows now and every hour, batch by batch; calling what it returns stops it. */
export function startRetention({ store, retentionMs, now, onError }: RetentionDeps): () => void {
  let timer: NodeJS.Timeout | undefined;
  const run = () => {
    let isMore = false;
    try {
      isMore = deleteOldLedgerRows(store, retentionMs, now()) === batchRows;
    } catch (error) {
      onError(error);
    }
    timer = setTimeout(run, isMore ? 50 : intervalMs).unref();
  };
  run();
  return () => clearTimeout(timer);
}
