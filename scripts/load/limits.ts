/**
 * Puts real load on the limits of a real server with a tiny model, and checks the promises to its users: the number
 * admitted, the honesty of `Retry-After`, and after kill -9 the books, budgets, units and webhooks. Exits with 1 when
 * anything is not as it should be.
 *
 *   node scripts/load/limits.ts [--seconds 30] [--clients 64] [--per-minute 1200] [--kills 20] [--load-ms 3000] [--kills-only]
 */
import { parseArgs } from 'node:util';
import { runKills } from './limits/kills.ts';
import { checkRetryAfter } from './limits/retry-after.ts';
import { runSteadyLoad } from './limits/steady-load.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    clients: { type: 'string', default: '64' },
    'per-minute': { type: 'string', default: '1200' },
    kills: { type: 'string', default: '20' },
    'load-ms': { type: 'string', default: '3000' },
    'kills-only': { type: 'boolean', default: false },
  },
});
const clients = Number(values.clients);

if (!values['kills-only']) await tryWaits();

const killed = await runKills({
  clients,
  kills: Number(values.kills),
  longestLoadMs: Number(values['load-ms']),
});
console.log(
  `${killed.kills} kills in the middle of load: ${killed.answered} answers, all in the ledger; ` +
    `${killed.interrupted} requests were in flight, and closed at the next start; a webhook received ` +
    `${killed.notices.received} notices, ${killed.notices.again} of them again`,
);
tell(killed.problems);

function tell(problems: readonly string[]): void {
  for (const problem of problems) console.error(`PROBLEM: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

/** Load at twice the limit, and how honest its waits are. */
async function tryWaits(): Promise<void> {
  const load = await runSteadyLoad({
    clients,
    seconds: Number(values.seconds),
    requestsPerMinute: Number(values['per-minute']),
  });
  const deviation = (100 * (load.admitted - load.allowed)) / load.allowed;
  console.log(
    `${clients} clients, ${load.sent} requests: ${load.admitted} admitted, ${load.allowed} allowed ` +
      `(${deviation.toFixed(2)} %), ${load.refused} refused, slowest answer ${load.slowestMs.toFixed(0)} ms`,
  );
  console.log(`Retry-After under load: ${JSON.stringify(load.retryAfterSeconds)} (seconds: refusals)`);
  tell(load.problems);

  const waits = await checkRetryAfter(16);
  console.log(
    `Retry-After of 16 keys alone, each enough and one second less not: ${waits.waitsSeconds.join(' ')}`,
  );
  tell(waits.problems);
}
