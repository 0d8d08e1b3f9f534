import type { Clock } from '../accounts/types.ts';
import { deleteOldLedgerRows, ledgerBatchRows } from '../limits/retention.ts';
import type { Store } from '../store/store.ts';

/** A response may have thousands of items. */
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

/** A function that stops the deletion of old rows, which runs now and every hour, batch by batch. */
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
