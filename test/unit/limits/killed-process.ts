/**
 * Admits and settles for ever on the database of argv[2]; writes one line per settled request once it is stored. Every
 * tenth request is a notice, written with its charge and sent to the address of argv[4] meanwhile.
 */
import { writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Calendar } from '../../../src/accounts/budgets/calendar.ts';
import { PlanBook } from '../../../src/accounts/plans.ts';
import { StoredLimiter } from '../../../src/limits/limiter.ts';
import { acquireProcessLock } from '../../../src/store/process-lock.ts';
import { openStore } from '../../../src/store/store.ts';
import { planOf, principalOf, requestOf, settlementOf } from './fixture.ts';
import { killedBudgets, killedLimits, openKilledNotices, requestsPerNotice } from './killed-limits.ts';

const [, , file = '', run = '', address = ''] = process.argv;
const plan = { ...planOf(killedLimits), accountBudgets: killedBudgets };
const plans = new PlanBook(new Map([['plan', plan]]), 0, new Calendar('UTC'));
const store = openStore(file);
const notices = openKilledNotices(store, address);
const limiter = new StoredLimiter({
  store,
  plans,
  now: Date.now,
  onSpent({ measure, period, used }) {
    if (measure === 'requests' && period === 'ever' && used % requestsPerNotice === 0)
      notices.note(String(used), () => ({ kind: 'budget.warning', message: String(used), data: {} }));
  },
});
if (acquireProcessLock(file) === undefined) throw new Error('the lock outlived the last process');
limiter.recoverInterrupted();
notices.start();

/** Several requests are always in flight, and end in another order than they came. */
const inFlight: { route: string; settle: () => void }[] = [];
for (let index = 0; ; index += 1) {
  const route = `${run}-${index}`;
  const admission = limiter.admit(
    requestOf({ principal: principalOf(`key_${index % 3}`), modelId: `model-${index % 2}`, route }),
  );
  const settlement = settlementOf({
    promptTokens: 1 + (index % 50),
    completionTokens: index % 7,
    refundRequest: index % 5 === 0,
  });
  inFlight.push({ route, settle: () => admission.settle(settlement) });
  if (inFlight.length < 8) continue;
  const [ended] = inFlight.splice((index * 5) % inFlight.length, 1);
  ended?.settle();
  writeSync(1, `${ended?.route}\n`);
  await nextTurn();
}
