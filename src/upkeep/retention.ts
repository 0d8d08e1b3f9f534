import type { Clock } from '../accounts/types.ts';
import type { FileLibrary } from '../files/file-library.ts';
import type { Store } from '../store/store.ts';

/** Batches are small enough for a running server: a ledger row is short, a response may have thousands of items. */
export const ledgerBatchRows = 1000;
const responseBatchRows = 50;
const fileRows = 50;
/** How long the facts of a batch are kept once it has ended. */
const endedBatchMs = 90 * 86_400_000;
const intervalMs = 3_600_000;
const pauseMs = 50;

export interface RetentionDeps {
  readonly store: Store;
  readonly files: Pick<FileLibrary, 'deleteExpired'>;
  /** undefined: keep the whole ledger. */
  readonly ledgerRetentionMs: number | undefined;
  /** undefined: keep the whole audit log, and all notices. */
  readonly auditRetentionMs?: number | undefined;
  readonly now: Clock;
  readonly onError: (error: unknown) => void;
}

/** A function that stops the deletion of old rows, which runs now and every hour, batch by batch. */
export function startRetention({
  store,
  files,
  ledgerRetentionMs,
  auditRetentionMs,
  now,
  onError,
}: RetentionDeps): () => void {
  let timer: NodeJS.Timeout | undefined;
  const run = () => {
    let isMore = false;
    try {
      const ledgerRows = deleteOldLedgerRows(store, ledgerRetentionMs, now());
      if (auditRetentionMs !== undefined) {
        store.audit.deleteBefore(now() - auditRetentionMs, ledgerBatchRows);
        store.notices.deleteBefore(now() - auditRetentionMs, ledgerBatchRows);
      }
      const responses = store.responses.deleteExpired(now(), responseBatchRows);
      const deletedFiles = files.deleteExpired(fileRows);
      store.batches.deleteEnded(now() - endedBatchMs, ledgerBatchRows);
      isMore = ledgerRows === ledgerBatchRows || responses === responseBatchRows || deletedFiles === fileRows;
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
  if (retentionMs === undefined) return 0;
  store.refusals.deleteBefore(nowMs - retentionMs, ledgerBatchRows);
  return store.ledger.deleteBefore(nowMs - retentionMs, ledgerBatchRows);
}
