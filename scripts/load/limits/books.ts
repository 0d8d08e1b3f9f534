import { windowMs } from '../../../src/accounts/plans.ts';
import { isWindow } from '../../../src/limits/rules.ts';
import type { BucketRow } from '../../../src/store/tables/use/bucket-table.ts';
import type { LedgerRow } from '../../../src/store/tables/use/ledger-table.ts';
import type { Store } from '../../../src/store/store.ts';

/**
 * Where balances and ledger disagree, one line each; empty: nowhere. Every balance is worked out anew from the
 * ledger, to the last bit. Holds for keys whose plan never changed, and with nothing in flight.
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

/** In unit-milliseconds, at the time of `row`: all charges and refunds, replayed on a full bucket. */
function levelByLedger(row: BucketRow, entries: readonly LedgerRow[], span: bigint): bigint {
  const limit = BigInt(row.limitUnits);
  const full = limit * span;
  let level = full;
  let atMs = 0;
  const refillUntil = (timeMs: number) => {
    const refilled = level + BigInt(Math.max(0, timeMs - atMs)) * limit;
    level = refilled < full ? refilled : full;
    atMs = Math.max(atMs, timeMs);
  };
  const changes = entries
    .flatMap((entry) => changesOf(entry, row))
    // A change of 0 units does not touch the row, whose time may be an earlier one.
    .filter(({ units }) => units !== 0)
    .sort((a, b) => a.timeMs - b.timeMs);
  for (const { timeMs, units } of changes) {
    refillUntil(timeMs);
    level += BigInt(units) * span;
  }
  refillUntil(row.atMs);
  return level;
}

interface Change {
  readonly timeMs: number;
  readonly units: number;
}

/** Requests are taken when they are admitted, and given back when they end; the rest is taken when they end. */
function changesOf(entry: LedgerRow, row: BucketRow): Change[] {
  const { admittedAtMs, settledAtMs, refunded } = entry;
  if (row.measure !== 'requests') return [{ timeMs: settledAtMs, units: -chargeOf(entry, row) }];
  if (!entry.paidWindows.split(',').includes(row.window)) return [];
  return [
    { timeMs: admittedAtMs, units: -1 },
    ...(refunded === 1 ? [{ timeMs: settledAtMs, units: 1 }] : []),
  ];
}

function chargeOf(entry: LedgerRow, { measure }: BucketRow): number {
  switch (measure) {
    case 'inputTokens':
      return entry.promptTokens;
    case 'outputTokens':
      return entry.completionTokens;
    default:
      return entry.audioMs;
  }
}
