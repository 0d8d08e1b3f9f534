import { windowMs } from '../accounts/plans.ts';
import type { Store } from '../store/store.ts';
import type { RefusalRow } from '../store/tables/use/refusal-table.ts';
import type { AdmissionRequest } from './types.ts';

/** Counts wait this long to be written together: a crash loses no more than these 2 s. */
const writeAfterMs = 2000;

/** Counts refusals by limits, and writes the counts together, since a flood of refused requests is to cost little. */
export class RefusalCounts {
  readonly #store: Store;
  readonly #onError: (error: unknown) => void;
  /** Not written yet, by minute, key and model. */
  readonly #rows = new Map<string, RefusalRow>();
  #timer: NodeJS.Timeout | undefined;

  /** `onError` is told why nothing can be written now; it is tried again. */
  constructor(store: Store, onError: (error: unknown) => void) {
    this.#store = store;
    this.#onError = onError;
  }

  /** Counts one. A line of a batch is not refused: it waits. */
  add({ principal: { accountId, keyId }, modelId, batch }: AdmissionRequest, nowMs: number): void {
    if (batch !== undefined) return;
    const minuteMs = nowMs - (nowMs % windowMs.minute);
    const name = `${minuteMs} ${keyId} ${modelId}`;
    const count = (this.#rows.get(name)?.count ?? 0) + 1;
    this.#rows.set(name, { minuteMs, accountId, keyId, modelId, count });
    this.#timer ??= setTimeout(() => this.write(), writeAfterMs).unref();
  }

  /** Writes the counts so far. */
  write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#rows.size === 0) return;
    try {
      this.#store.immediate(() => {
        for (const row of this.#rows.values()) this.#store.refusals.add(row);
      });
      this.#rows.clear();
    } catch (error) {
      this.#timer = setTimeout(() => this.write(), writeAfterMs).unref();
      this.#onError(error);
    }
  }
}
