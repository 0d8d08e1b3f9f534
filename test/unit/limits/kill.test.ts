import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { auditBooks } from '../../../scripts/load/limits/books.ts';
import { PlanBook } from '../../../src/accounts/plans.ts';
import { StoredLimiter } from '../../../src/limits/limiter.ts';
import { acquireProcessLock } from '../../../src/store/process-lock.ts';
import { listenForWebhooks } from '../../support/server/webhook-receiver.ts';
import { openTempStore } from '../store/temp-store.ts';
import { planOf } from './fixture.ts';
import { killedLimits, openKilledNotices, requestsPerNotice } from './killed-limits.ts';

const program = fileURLToPath(new URL('killed-process.ts', import.meta.url));
const kills = 6;
/** More are never on their way. */
const noticesAtATime = 4;

/** Starts the program, kills it in the middle of its work; the routes that it said were settled. */
async function runUntilKilled(file: string, run: number, address: string): Promise<string[]> {
  const child = spawn(process.execPath, [program, file, `run${run}`, address], {
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

it('agrees with its ledger and misses no settled charge and no notice after kill -9', async () => {
  await using hook = await listenForWebhooks();
  const temp = openTempStore();
  const plans = new PlanBook(new Map([['plan', planOf(killedLimits)]]), 0);
  const told: string[] = [];
  try {
    for (let run = 0; run < kills; run += 1) {
      told.push(...(await runUntilKilled(temp.file, run, hook.url)));
      const lock = acquireProcessLock(temp.file);
      expect(lock).toBeDefined();
      lock?.release();
      const store = temp.reopen();
      const interrupted = new StoredLimiter({ store, plans, now: Date.now }).recoverInterrupted();
      expect(interrupted).toBeGreaterThanOrEqual(6);
      expect(interrupted).toBeLessThanOrEqual(8);
      expect(auditBooks(store)).toEqual([]);
      const ledger = [...store.ledger.all()];
      const tokens = ledger.reduce((sum, row) => sum + row.promptTokens + row.completionTokens, 0);
      const requests = ledger.filter(({ refunded }) => refunded === 0).length;
      const counted = store.budgets.ofOwner('acct_1').filter(({ period }) => period === 'ever');
      expect(Object.fromEntries(counted.map(({ measure, used }) => [measure, used]))).toEqual({
        tokens,
        requests,
      });
      const settled = ledger.filter(({ status }) => status !== null).map(({ route }) => route);
      expect(new Set(settled).size).toBe(settled.length);
      expect(told.filter((route) => !settled.includes(route))).toEqual([]);
      expect(temp.store.notices.list(0, 10_000, Date.now())).toHaveLength(
        Math.floor(requests / requestsPerNotice),
      );
    }
    // Half a day later notices that were on their way at a kill have been sent again, and everything has come.
    const notices = openKilledNotices(temp.store, hook.url, () => Date.now() + 43_200_000);
    notices.start();
    await expect
      .poll(() => temp.store.notices.due(Number.MAX_SAFE_INTEGER, 0, 1), { timeout: 30_000 })
      .toEqual([]);
    await notices.stop();
    expect(hook.problems).toEqual([]);
    const ids = hook.received.map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set(temp.store.notices.list(0, 10_000, Date.now()).map(({ id }) => id)));
    expect(ids.length - new Set(ids).size).toBeLessThanOrEqual(kills * noticesAtATime);
  } finally {
    temp.dispose();
  }
});
