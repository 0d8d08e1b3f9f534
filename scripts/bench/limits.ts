/**
 * Prints what admit + settle cost per request, with the database on disk in WAL mode: on a small database,
 * then on one of 10,000 keys × 20 models with a balance for each of them; on a plan that limits each key, and on one
 * that gives each account of ten keys budgets as well.
 *
 *   node scripts/bench/limits.ts [folder]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Principal } from '../../src/accounts/types.ts';
import { PlanBook, type Plan } from '../../src/accounts/plans.ts';
import { Calendar } from '../../src/accounts/budgets/calendar.ts';
import { StoredLimiter } from '../../src/limits/limiter.ts';
import { RuleBook } from '../../src/limits/rules.ts';
import { openStore, type Store } from '../../src/store/store.ts';

const requests = 20_000;
const keysPerAccount = 10;
const huge = 1e12;
/** The shape of the largest default plan, with room for every request of the benchmark. */
const keysOnly: Plan = {
  durationMs: undefined,
  modelLimits: new Map(),
  limits: {
    requests: { minute: huge, hour: huge, day: huge },
    inputTokens: { minute: huge, '30d': huge },
    outputTokens: { minute: huge, '30d': huge },
  },
};
const accountBudgets = { tokens: { day: huge, month: huge }, requests: { day: huge }, units: { month: 1e9 } };
const plans = new Map([
  ['keys', keysOnly],
  ['accounts', { ...keysOnly, accountBudgets }],
]);
const prices = { '*': { inputTokens: 0.15, outputTokens: 0.6 } };
const most = () => ({ tokens: 4096, audioSeconds: 0 });

function principal(key: number, planName: string): Principal {
  const [keyId, accountId] = [`key_${toId(key)}`, `acct_${toId(Math.floor(key / keysPerAccount))}`];
  return { keyId, accountId, accountName: 'bench', kind: 'user', allowedModels: null, planName };
}

const toId = (number: number) => number.toString(16).padStart(16, '0');

function fill(store: Store, keys: number, models: number): void {
  const rules = new RuleBook(new PlanBook(plans, 0)).of('keys', 'model-0');
  for (let key = 0; key < keys; key += 100) {
    store.immediate(() => {
      for (let one = key; one < Math.min(keys, key + 100); one += 1) {
        for (let model = 0; model < models; model += 1) {
          for (const { measure, window, limitUnits } of rules) {
            const row = { measure, window, units: limitUnits, fraction: 0, limitUnits, atMs: Date.now() };
            store.buckets.put(principal(one, 'keys').keyId, `model-${model}`, row);
          }
        }
      }
    });
  }
}

interface Times {
  readonly meanUs: number;
  readonly p50Us: number;
  readonly p99Us: number;
  /** Processor time of this process, which other work on the machine disturbs less. */
  readonly cpuUs: number;
}

function timeRequests(store: Store, keys: number, models: number, planName: string): Times {
  const book = new PlanBook(plans, Date.now(), new Calendar(), prices);
  const limiter = new StoredLimiter({ store, plans: book, now: Date.now });
  const timesUs: number[] = [];
  const startCpu = process.cpuUsage();
  for (let index = 0; index < requests; index += 1) {
    // A step that shares no factor with the counts visits keys and models in no helpful order.
    const key = (index * 7919) % keys;
    const request = {
      principal: principal(key, planName),
      modelId: `model-${(index * 31) % models}`,
      measures: ['requests', 'inputTokens', 'outputTokens'] as const,
      route: '/v1/chat/completions',
      most,
    };
    const start = process.hrtime.bigint();
    limiter.admit(request).settle({
      status: 200,
      promptTokens: 100,
      cachedTokens: 0,
      completionTokens: 50,
      audioSeconds: 0,
      durationMs: 10,
      timeToFirstTokenMs: 5,
      refundRequest: false,
    });
    timesUs.push(Number(process.hrtime.bigint() - start) / 1000);
  }
  const { user, system } = process.cpuUsage(startCpu);
  timesUs.sort((a, b) => a - b);
  const at = (share: number) => timesUs[Math.floor(timesUs.length * share)] ?? 0;
  const meanUs = timesUs.reduce((sum, time) => sum + time, 0) / requests;
  return { meanUs, p50Us: at(0.5), p99Us: at(0.99), cpuUs: (user + system) / requests };
}

const folder = mkdtempSync(path.join(process.argv[2] ?? tmpdir(), 'hearth-bench-'));
try {
  for (const [keys, models] of [
    [1, 1],
    [100, 2],
    [10_000, 20],
  ] as const) {
    const file = path.join(folder, `${keys}x${models}.db`);
    const store = openStore(file);
    fill(store, keys, models);
    const mb = (statSync(file).size / 1e6).toFixed(0);
    console.log(`${keys} keys × ${models} models (${mb} MB), admit + settle:`);
    for (const planName of plans.keys()) {
      const times = timeRequests(store, keys, models, planName);
      console.log(
        `  limits of ${planName.padEnd(8)}  median ${times.p50Us.toFixed(0)} µs, mean ${times.meanUs.toFixed(0)} µs,`,
        `99 % under ${times.p99Us.toFixed(0)} µs, processor ${times.cpuUs.toFixed(0)} µs`,
      );
    }
    store.close();
  }
} finally {
  rmSync(folder, { recursive: true });
}
