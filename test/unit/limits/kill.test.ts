import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { PlanBook } from '../../../src/accounts/plan-book.ts';
import { windowMs, type Window } from '../../../src/config/plans.ts';
import { StoredLimiter } from '../../../src/limits/limiter.ts';
import type { BucketRow } from '../../../src/store/bucket-table.ts';
import type { LedgerRow } from '../../../src/store/ledger-table.ts';
import { acquireProcessLock } from '../../../src/store/process-lock.ts';
import type { Store } from '../../../src/store/store.ts';
import { openTempStore } from '../store/temp-store.ts';
import { planOf } from './fixture.ts';
import { killedLimits } from './killed-limits.ts';

const program = fileURLToPath(new URL('killed-process.ts', import.meta.url));
const kills = 6;

/** Starts the program, kills it in the middle of its work; the routes that it said were settled. */
async function runUntilKilled(file: string, run: number): Promise<string[]> {
  const child = spawn(process.execPath, [program, file, `run${run}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const routes: string[] = [];
  const enough = 40 + 37 * run;
  for await (const line of createInterface({ input: child.stdout })) {
    routes.push(line);
    if (routes.length === enough) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
  return routes;
}

/** The balance that the ledger accounts for, as unit-milliseconds at the time of `row`. */
function recomputed(row: BucketRow, ledger: readonly LedgerRow[]): bigint {
  const isPaid = (entry: LedgerRow) => entry.paidWindows.split(',').includes(row.window);
  const charged = (entry: LedgerRow) => {
    if (row.measure === 'inputTokens') return entry.promptTokens;
    if (row.measure === 'outputTokens') return entry.completionTokens;
    return isPaid(entry) ? 1 - entry.refunded : 0;
  };
  // Requests are taken when they are admitted, the rest when they are settled.
  const takenAtMs = (entry: LedgerRow) =>
    row.measure === 'requests' ? entry.admittedAtMs : entry.settledAtMs;
  const touched = ledger.filter((entry) => row.measure === 'requests' || charged(entry) > 0);
  const firstMs = Math.min(...touched.map(takenAtMs));
  const units = touched.reduce((sum, entry) => sum + charged(entry), 0);
  const window = BigInt(windowMs[row.window as Window]);
  const limit = BigInt(row.limitUnits);
  return limit * window + BigInt(row.atMs - firstMs) * limit - BigInt(units) * window;
}

function checkBooks(store: Store): void {
  const ledger = [...store.ledger.all()];
  for (const keyId of ['key_0', 'key_1', 'key_2']) {
    for (const modelId of ['model-0', 'model-1']) {
      const own = ledger.filter((entry) => entry.keyId === keyId && entry.modelId === modelId);
      for (const row of store.buckets.of(keyId, modelId)) {
        const level = BigInt(row.units) * BigInt(windowMs[row.window as Window]) + BigInt(row.fraction);
        expect(level, `${keyId} ${modelId} ${row.measure} ${row.window}`).toBe(recomputed(row, own));
      }
    }
  }
}

it('agrees with its ledger and misses no settled charge after kill -9', async () => {
  const temp = openTempStore();
  const plans = new PlanBook(new Map([['plan', planOf(killedLimits)]]), 0);
  const told: string[] = [];
  try {
    for (let run = 0; run < kills; run += 1) {
      told.push(...(await runUntilKilled(temp.file, run)));
      const lock = acquireProcessLock(temp.file);
      expect(lock).toBeDefined();
      lock?.release();
      const store = temp.reopen();
      const interrupted = new StoredLimiter({ store, plans, now: Date.now }).recoverInterrupted();
      expect(interrupted).toBeGreaterThanOrEqual(6);
      expect(interrupted).toBeLessThanOrEqual(8);
      expect(store.admissions.list()).toEqual([]);
      expect(store.integrityProblems()).toEqual([]);
      const settled = [...store.ledger.all()]
        .filter(({ status }) => status !== null)
        .map(({ route }) => route);
      expect(new Set(settled).size).toBe(settled.length);
      expect(told.filter((route) => !settled.includes(route))).toEqual([]);
      checkBooks(store);
    }
  } finally {
    temp.dispose();
  }
});
