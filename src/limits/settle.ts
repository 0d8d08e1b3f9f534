import type { AdmissionRow, NewAdmissionRow } from '../store/tables/admission-table.ts';
import type { LedgerRow } from '../store/tables/ledger-table.ts';
import type { Store } from '../store/store.ts';
import { Balances } from './balances.ts';
import { giveBack, take } from './bucket.ts';
import { isMeasure, unitsPer, type Rule } from './rules.ts';
import type { Settlement } from './types.ts';

/** Separates the items of a list in one column. */
export const listSeparator = ',';

/** The fields of a ledger row that an admission does not have. */
type Ending = Omit<LedgerRow, keyof NewAdmissionRow>;

/** A whole number that is safe to charge; a measurement that went wrong costs nothing. */
function toWhole(amount: number): number {
  return Number.isFinite(amount) ? Math.min(Math.max(0, Math.round(amount)), 1e12) : 0;
}

/** Charges what a request used and closes it. To be run in a transaction. */
export function settle(
  store: Store,
  admission: AdmissionRow,
  rules: readonly Rule[],
  settlement: Settlement,
  nowMs: number,
): void {
  const ending: Ending = {
    settledAtMs: nowMs,
    status: toWhole(settlement.status),
    refunded: settlement.refundRequest ? 1 : 0,
    promptTokens: toWhole(settlement.promptTokens),
    cachedTokens: toWhole(settlement.cachedTokens),
    completionTokens: toWhole(settlement.completionTokens),
    audioMs: toWhole(settlement.audioSeconds * unitsPer.audioSeconds),
    usageSource: settlement.source ?? 'counted',
    durationMs: toWhole(settlement.durationMs),
    timeToFirstTokenMs:
      settlement.timeToFirstTokenMs === null ? null : toWhole(settlement.timeToFirstTokenMs),
  };
  const balances = new Balances(store, admission.keyId, admission.modelId);
  const charges = {
    requests: 0,
    inputTokens: ending.promptTokens,
    outputTokens: ending.completionTokens,
    audioSeconds: ending.audioMs,
  };
  for (const measure of admission.measures.split(listSeparator)) {
    if (!isMeasure(measure) || charges[measure] === 0) continue;
    for (const balance of balances.stored(measure, rules, nowMs)) {
      balances.put(balance, take(balance.bucket, charges[measure]));
    }
  }
  close(store, balances, admission, ending);
}

/** Closes a request whose process died: nothing is known of its use, so it costs nothing. To be run in a transaction. */
export function settleInterrupted(store: Store, admission: AdmissionRow, nowMs: number): void {
  const balances = new Balances(store, admission.keyId, admission.modelId);
  close(store, balances, admission, {
    settledAtMs: nowMs,
    status: null,
    refunded: 1,
    promptTokens: 0,
    cachedTokens: 0,
    completionTokens: 0,
    audioMs: 0,
    usageSource: 'counted',
    durationMs: toWhole(nowMs - admission.admittedAtMs),
    timeToFirstTokenMs: null,
  });
}

function close(store: Store, balances: Balances, admission: AdmissionRow, ending: Ending): void {
  const { id, paidWindows, ...admitted } = admission;
  if (ending.refunded === 1) {
    const paid = new Set(paidWindows.split(listSeparator));
    for (const balance of balances.stored('requests', [], ending.settledAtMs)) {
      // Only the windows that paid get it back, even if the limits have changed since.
      if (paid.has(balance.window)) balances.put(balance, giveBack(balance.bucket, 1));
    }
  }
  store.admissions.delete(id);
  store.ledger.insert({ ...admitted, paidWindows, ...ending });
}
