import { windowMs } from '../../src/accounts/plans.ts';
import { isWindow } from '../../src/limits/rules.ts';
import type { BucketRow } from '../../src/store/tables/bucket-table.ts';
import type { LedgerRow } from '../../src/store/tables/ledger-table.ts';
import type { Store } from '../../src/store/store.ts';

/**
 * Where balances and ledger disagree, one line each; empty: nowhere. Every balance is worked out anew from the
 * ledger, to the last bit. Holds for keys whose plan never changed, whose buckets have not been full again since
 * they were first used, and with nothing in flight.
 */
export function auditBooks(store: Store): string[] {
  const problems = store.integrityProblems();
  const inFlight = store.admissions.list().length;
  if (inFlight > 0) problems.push(`${inFlight} requests are still in flight`);
  const entriesOf = Map.groupBy(store.ledger.all(), ({ keyId, modelId }) => `${keyId}\n${modelId}`);
  for (const [name, entries] of entriesOf) {
    const [keyId = '', modelId = ''] = name.split('\n');
    for (const row of store.buckets.of(keyId, modelId)) {
      if (!isWindow(row.window)) continue;
      const span = BigInt(windowMs[row.window]);
      const level = BigInt(row.units) * span + BigInt(row.fraction);
      const expected = levelByLedger(row, entries, span);
      if (level === expected) continue;
      problems.push(
        `${keyId} ${modelId} ${row.measure} per ${row.window}: holds ${level}, the ledger says ${expected}`,
      );
    }
  }
  return problems;
}

/** In unit-milliseconds, at the time of `row`. */
function levelByLedger(row: BucketRow, entries: readonly LedgerRow[], span: bigint): bigint {
  // Requests are taken when they are admitted, the rest when they are settled.
  const isRequests = row.measure === 'requests';
  const touching = entries.filter((entry) => isRequests || chargeOf(entry, row) > 0);
  const firstMs = Math.min(...touching.map((entry) => (isRequests ? entry.admittedAtMs : entry.settledAtMs)));
  const charged = touching.reduce((sum, entry) => sum + chargeOf(entry, row), 0);
  const limit = BigInt(row.limitUnits);
  return limit * span + BigInt(row.atMs - firstMs) * limit - BigInt(charged) * span;
}

function chargeOf(entry: LedgerRow, { measure, window }: BucketRow): number {
  switch (measure) {
    case 'requests':
      return entry.paidWindows.split(',').includes(window) ? 1 - entry.refunded : 0;
    case 'inputTokens':
      return entry.promptTokens;
    case 'outputTokens':
      return entry.completionTokens;
    default:
      return entry.audioMs;
  }
}
