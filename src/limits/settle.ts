import type { AdmissionRow, UsedRow } from '../store/tables/use/admission-table.ts';
import type { LedgerRow } from '../store/tables/use/ledger-table.ts';
import type { Store } from '../store/store.ts';
import type { BudgetUnits } from '../accounts/budgets/budget.ts';
import { costOf, type Price } from '../accounts/budgets/price.ts';
import { greatestLimit, type Measure } from '../accounts/plans.ts';
import { Balances } from './balances.ts';
import { giveBack, take } from './bucket.ts';
import { isMeasure, unitsPer, type Rule } from './rules.ts';
import type { Settlement, Used } from './types.ts';

/** Separates the items of a list in one column. */
export const listSeparator = ',';

export interface Payment {
  readonly rules: readonly Rule[];
  /** The share of each token that is charged; the ledger has all of them. */
  readonly factor: number;
  /** Of its model; undefined: it costs nothing. */
  readonly price: Price | undefined;
  /** Takes the use from budgets. */
  readonly spend: (
    payer: { readonly keyId: string; readonly accountId: string },
    used: BudgetUnits,
    nowMs: number,
  ) => void;
}

/** The fields of a ledger row that an admission does not have. */
type Ending = Omit<LedgerRow, keyof AdmissionRow | 'microUnits'>;

/** A whole number that is safe to charge; a measurement that went wrong costs nothing. */
function toWhole(amount: number): number {
  return Number.isFinite(amount) ? Math.min(Math.max(0, Math.round(amount)), greatestLimit) : 0;
}

/** `used` in the units that are charged. */
export function toUsedRow(used: Used): UsedRow {
  return {
    promptTokens: toWhole(used.promptTokens),
    cachedTokens: toWhole(used.cachedTokens),
    completionTokens: toWhole(used.completionTokens),
    audioMs: toWhole(used.audioSeconds * unitsPer.audioSeconds),
    usageSource: used.source ?? 'counted',
  };
}

/** Charges the use of a request and closes it. To be run in a transaction. */
export function settle(
  store: Store,
  admission: AdmissionRow,
  payment: Payment,
  settlement: Settlement,
  nowMs: number,
): void {
  const used = { ...admission, ...toUsedRow(settlement) };
  close(store, used, payment, {
    settledAtMs: nowMs,
    status: toWhole(settlement.errorStatus ?? settlement.status),
    refunded: settlement.refundRequest ? 1 : 0,
    durationMs: toWhole(settlement.durationMs),
    timeToFirstTokenMs:
      settlement.timeToFirstTokenMs === null ? null : toWhole(settlement.timeToFirstTokenMs),
  });
}

/**
 * Closes a request whose process died: its use as far as it was noted is charged. The request itself is given back
 * where nothing was noted, since its client got nothing; a line of a batch leaves nothing. To be run in a transaction.
 */
export function settleInterrupted(
  store: Store,
  admission: AdmissionRow,
  payment: Payment,
  nowMs: number,
): void {
  // Its batch computes it again.
  if (admission.batchId !== null) return withdraw(store, admission, nowMs);
  const { promptTokens, completionTokens, audioMs, admittedAtMs } = admission;
  close(store, admission, payment, {
    settledAtMs: nowMs,
    status: null,
    refunded: promptTokens + completionTokens + audioMs === 0 ? 1 : 0,
    durationMs: toWhole(nowMs - admittedAtMs),
    timeToFirstTokenMs: null,
  });
}

/** Closes a request as if it had never come: it is not in the ledger. To be run in a transaction. */
export function withdraw(store: Store, admission: AdmissionRow, nowMs: number): void {
  giveRequestBack(new Balances(store, admission.keyId, admission.modelId), admission, nowMs);
  store.admissions.delete(admission.id);
}

/** Only the windows that paid get it back, even if the limits have changed since. */
function giveRequestBack(balances: Balances, { paidWindows }: AdmissionRow, nowMs: number): void {
  const paid = new Set(paidWindows.split(listSeparator));
  for (const balance of balances.stored('requests', [], nowMs))
    if (paid.has(balance.window)) balances.put(balance, giveBack(balance.bucket, 1));
}

function close(
  store: Store,
  admission: AdmissionRow,
  { rules, factor, price, spend }: Payment,
  ending: Ending,
): void {
  const { id, ...admitted } = admission;
  const balances = new Balances(store, admission.keyId, admission.modelId);
  const charges = {
    requests: 0,
    inputTokens: Math.ceil(admission.promptTokens * factor),
    outputTokens: Math.ceil(admission.completionTokens * factor),
    audioSeconds: admission.audioMs,
  };
  const metered = admission.measures.split(listSeparator).filter(isMeasure);
  for (const measure of metered) {
    if (charges[measure] === 0) continue;
    for (const balance of balances.stored(measure, rules, ending.settledAtMs)) {
      balances.put(balance, take(balance.bucket, charges[measure]));
    }
  }
  if (ending.refunded === 1) giveRequestBack(balances, admission, ending.settledAtMs);
  const charged = (measure: Measure) => (metered.includes(measure) ? charges[measure] : 0);
  const [inputTokens, outputTokens] = [charged('inputTokens'), charged('outputTokens')];
  const [requests, audioMs] = [1 - ending.refunded, charged('audioSeconds')];
  const cachedTokens = Math.ceil(admission.cachedTokens * factor);
  const units = price ? costOf(price, { requests, inputTokens, cachedTokens, outputTokens, audioMs }) : 0;
  const used = { tokens: inputTokens + outputTokens, requests, audioSeconds: audioMs, units };
  spend(admission, used, ending.settledAtMs);
  store.admissions.delete(id);
  store.ledger.insert({ ...admitted, ...ending, microUnits: units });
}
