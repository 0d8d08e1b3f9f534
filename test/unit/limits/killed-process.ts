/** Admits and settles for ever on the database of argv[2]; writes one line per settled request once it is stored. */
import { writeSync } from 'node:fs';
import { Calendar } from '../../../src/accounts/budgets/calendar.ts';
import { PlanBook } from '../../../src/accounts/plans.ts';
import { StoredLimiter } from '../../../src/limits/limiter.ts';
import { acquireProcessLock } from '../../../src/store/process-lock.ts';
import { openStore } from '../../../src/store/store.ts';
import { planOf, principalOf, requestOf, settlementOf } from './fixture.ts';
import { killedBudgets, killedLimits } from './killed-limits.ts';

const [, , file = '', run = ''] = process.argv;
const plan = { ...planOf(killedLimits), accountBudgets: killedBudgets };
const plans = new PlanBook(new Map([['plan', plan]]), 0, new Calendar('UTC'));
const limiter = new StoredLimiter({ store: openStore(file), plans, now: Date.now });
if (acquireProcessLock(file) === undefined) throw new Error('the lock outlived the last process');
limiter.recoverInterrupted();

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
}
