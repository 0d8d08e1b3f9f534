import { isDeepStrictEqual } from 'node:util';
import { Accounts } from '../../../src/accounts/accounts.ts';
import { toPrincipal } from '../../../src/accounts/authenticator.ts';
import type { BudgetLimits } from '../../../src/accounts/budgets/budget.ts';
import { Calendar } from '../../../src/accounts/budgets/calendar.ts';
import { Keys } from '../../../src/accounts/keys.ts';
import { PlanBook, type Plan } from '../../../src/accounts/plans.ts';
import { AppError } from '../../../src/errors/errors.ts';
import { StoredLimiter } from '../../../src/limits/limiter.ts';
import { queryUsage } from '../../../src/limits/reports/usage.ts';
import type { Admission } from '../../../src/limits/types.ts';
import { noteBudget } from '../../../src/notices/budget-notice.ts';
import { Notices } from '../../../src/notices/notices.ts';
import { fc } from '../../support/properties.ts';
import { openTempStore } from '../store/temp-store.ts';
import { requestOf, settlementOf } from './fixture.ts';
import { PlainLimits, unitsOf, type PlainAnswer, type PlainUse } from './plain-limits.ts';

const hourMs = 3_600_000;

const settings = [
  {
    small: {
      limits: { requests: { minute: 2, hour: 60 }, inputTokens: { minute: 1500, day: 60_000 } },
      account: { tokens: { day: 60_000, month: 900_000 }, units: { week: 0.15 } },
    },
    large: { limits: { outputTokens: { hour: 2000 } }, account: { requests: { week: 300 } } },
  },
  {
    small: {
      limits: { requests: { minute: 3, '30d': 5000 }, inputTokens: { minute: 2000 } },
      account: { tokens: { day: 50_000 }, requests: { month: 2000 }, units: { week: 0.2, ever: 3 } },
    },
    large: { limits: {}, account: {} },
  },
] satisfies readonly Record<string, { limits: Plan['limits']; account: BudgetLimits }>[];

const priceLists = [
  { a: { inputTokens: 0.15, cachedTokens: 0.03, outputTokens: 0.6 } },
  { a: { inputTokens: 0.2, outputTokens: 0.55, requests: 0.00001 }, b: { requests: 0.00025 } },
];

const toPlans = (at: number) =>
  new Map(
    Object.entries(settings[at % settings.length] ?? {}).map(
      ([name, { limits, account }]): [string, Plan] => [
        name,
        { durationMs: undefined, limits, accountBudgets: account, modelLimits: new Map() },
      ],
    ),
  );

const kinds = {
  admit: 40,
  settle: 38,
  note: 8,
  clock: 20,
  crash: 1,
  setPlan: 1,
  setBudget: 2,
  rotate: 1,
  configure: 1,
} as const;

const operation = fc.record({
  kind: fc.oneof(
    ...Object.entries(kinds).map(([kind, weight]) => ({
      weight,
      arbitrary: fc.constant(kind as keyof typeof kinds),
    })),
  ),
  pick: fc.nat(1000),
  other: fc.nat(1000),
  input: fc.oneof(fc.constant(0), fc.nat(900)),
  output: fc.oneof(fc.constant(0), fc.nat(300)),
  isOdd: fc.boolean(),
  stepMs: fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 0, max: 150_000 }) },
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 9 * hourMs }) },
    { weight: 2, arbitrary: fc.integer({ min: -2 * hourMs, max: 0 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(-50 * hourMs, 40 * 24 * hourMs, -20 * 24 * hourMs, 10 * 24 * hourMs),
    },
  ),
});

type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

interface Running {
  readonly id: number;
  readonly admission: Admission;
  /** Of the last note that was written. */
  noted: PlainUse;
  readonly accountId: string;
}

const nothing: PlainUse = { input: 0, cached: 0, output: 0 };

/** The real limiter on a real database beside the plain one. */
class LimitsWorld {
  readonly temp = openTempStore();
  readonly clock: { nowMs: number };
  readonly plans: PlanBook;
  readonly plain: PlainLimits;
  readonly keys: Keys;
  readonly accounts: Accounts;
  readonly accountIds: readonly string[];
  /** The working key of each balance, by the id of the first. */
  readonly keyIds = new Map<string, string>();
  readonly answers: Record<string, number> = {};
  limiter: StoredLimiter;
  running: Running[] = [];
  #next = 0;

  constructor(zone: string, startMs: number) {
    this.clock = { nowMs: startMs };
    const now = () => this.clock.nowMs;
    const calendar = new Calendar(zone);
    this.plans = new PlanBook(toPlans(0), startMs, calendar, priceLists[0]);
    this.plain = new PlainLimits(zone, settings[0] ?? {}, startMs);
    this.plain.prices = priceLists[0] ?? {};
    const { store } = this.temp;
    this.keys = new Keys({ store, now, calendar });
    this.accounts = new Accounts({ store, plans: this.plans, now });
    this.accountIds = ['alice', 'bob'].map((name) => this.accounts.create({ name, plan: 'small' }).id);
    for (const accountId of this.accountIds)
      for (let count = 0; count < 2; count += 1) {
        const { id } = this.keys.create({ accountId }).key;
        this.keyIds.set(id, id);
      }
    this.limiter = this.#open();
  }

  #open(): StoredLimiter {
    const { store } = this.temp;
    const now = () => this.clock.nowMs;
    const log = { warn: () => undefined, error: () => undefined };
    const notices = new Notices({ store, now, log, operator: undefined });
    return new StoredLimiter({
      store,
      plans: this.plans,
      now,
      onSpent: (budget, accountId) => noteBudget(notices, store, budget, accountId),
    });
  }

  do({ kind, pick, other, input, output, isOdd, stepMs }: Operation): void {
    const { nowMs } = this.clock;
    const at = pick % Math.max(1, this.running.length);
    switch (kind) {
      case 'admit':
        return this.#admit(pick, other, input + output);
      case 'settle': {
        const [ended] = this.running.splice(at, 1);
        if (ended === undefined) return;
        const use = { input, cached: other % (input + 1), output };
        const refund = isOdd && other % 4 === 0;
        ended.admission.settle(
          settlementOf({
            promptTokens: input,
            cachedTokens: use.cached,
            completionTokens: output,
            refundRequest: refund,
          }),
        );
        return this.plain.settle(ended.id, use, refund, nowMs);
      }
      case 'note': {
        const noted = this.running[at];
        if (noted === undefined || noted.noted !== nothing) return;
        // A note of so many tokens is written at once; later ones only after more.
        noted.noted = { input: input + 256, cached: 0, output };
        return noted.admission.note(() => ({
          promptTokens: noted.noted.input,
          cachedTokens: 0,
          completionTokens: output,
          audioSeconds: 0,
        }));
      }
      case 'clock':
        this.clock.nowMs += stepMs;
        return;
      case 'crash':
        return this.#crash();
      case 'setPlan':
      case 'setBudget':
      case 'rotate':
      case 'configure':
        return this.#change({ kind, pick, other, input, isOdd });
    }
  }

  #change({
    kind,
    pick,
    other,
    input,
    isOdd,
  }: Pick<Operation, 'kind' | 'pick' | 'other' | 'input' | 'isOdd'>): void {
    const { nowMs } = this.clock;
    if (kind === 'setPlan') {
      this.accounts.change(this.#accountAt(pick), { plan: isOdd ? 'small' : 'large' });
    } else if (kind === 'rotate') {
      const first = this.#keyAt(pick);
      this.keyIds.set(first, this.keys.rotate(this.keyIds.get(first) ?? '').key.id);
    } else if (kind === 'configure') {
      this.plans.replace(toPlans(pick), nowMs, priceLists[other % 2]);
      this.plain.plans = settings[pick % settings.length] ?? {};
      this.plain.prices = priceLists[other % 2] ?? {};
      this.plain.plansSinceMs = nowMs;
    } else {
      const measure = (['tokens', 'requests', 'units'] as const)[other % 3] ?? 'tokens';
      const period = (['ever', 'day', 'week', 'month'] as const)[input % 4] ?? 'day';
      const times = { day: 1, week: 5, month: 20, ever: 60 }[period];
      const most =
        { tokens: 1 + input * 90, requests: 1 + input, units: (1 + input) / 5000 }[measure] * times;
      // One that is never filled again would end everything soon.
      const isGone = pick % (period === 'ever' ? 4 : 2) !== 1;
      const budgets = { [measure]: { [period]: isGone ? null : most } };
      const owner = isOdd ? this.#accountAt(pick) : this.#keyAt(pick);
      if (isOdd) this.accounts.change(owner, { budgets });
      else this.keys.change(owner, { budgets });
      this.plain.setBudgets(owner, budgets);
    }
  }

  #accountAt = (pick: number) => this.accountIds[pick % this.accountIds.length] ?? '';
  #keyAt = (pick: number) => [...this.keyIds.keys()][pick % this.keyIds.size] ?? '';

  #admit(pick: number, other: number, most: number): void {
    const { nowMs } = this.clock;
    const ownerId = this.#keyAt(pick);
    const modelId = other % 3 === 0 ? 'b' : 'a';
    const keyId = this.keyIds.get(ownerId) ?? '';
    const principal = toPrincipal(this.keys.row(keyId), this.plans, nowMs);
    const { accountId, planName, planSinceMs = 0 } = principal;
    const id = (this.#next += 1);
    const expected = this.plain.admit(
      id,
      { accountId, ownerId, modelId, planName, planSinceMs },
      most,
      nowMs,
    );
    let answer: PlainAnswer = 'admitted';
    try {
      const admission = this.limiter.admit(
        requestOf({ principal, modelId, most: () => ({ tokens: most, audioSeconds: 0 }) }),
      );
      this.running.push({ id, admission, noted: nothing, accountId });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      answer =
        error.code === 'insufficient_quota'
          ? error.code
          : { retryAfterSeconds: error.retryAfterSeconds ?? 0 };
    }
    equal('the answer to a request', answer, expected);
    const name = typeof answer === 'string' ? answer : 'rate_limit_exceeded';
    this.answers[name] = (this.answers[name] ?? 0) + 1;
    this.#compareBuckets(ownerId, modelId);
  }

  #crash(): void {
    this.temp.reopen();
    const { store } = this.temp;
    // Only the store is opened anew: the others that work on it keep nothing of it in memory.
    Object.assign(this, {
      keys: new Keys({ store, now: () => this.clock.nowMs, calendar: this.plans.calendar }),
    });
    Object.assign(this, {
      accounts: new Accounts({ store, plans: this.plans, now: () => this.clock.nowMs }),
    });
    this.limiter = this.#open();
    equal('the requests that were interrupted', this.limiter.recoverInterrupted(), this.running.length);
    for (const { id, noted, accountId } of this.running) {
      const planName = this.accounts.get(accountId).planInForce;
      this.plain.settle(id, noted, noted === nothing, this.clock.nowMs, planName);
    }
    this.running = [];
  }

  #compareBuckets(ownerId: string, modelId: string): void {
    const inOrder = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).toSorted();
    const stored = this.temp.store.buckets
      .of(ownerId, modelId)
      .map(({ measure, window, units, fraction, limitUnits, atMs }) => ({
        measure,
        window,
        units,
        fraction,
        limitUnits,
        atMs,
      }));
    const plain = this.plain.bucketsOf({ ownerId, modelId }).map((bucket) => ({
      measure: bucket.rule.measure,
      window: bucket.rule.window,
      ...bucket.split(),
      limitUnits: bucket.rule.limit,
      atMs: bucket.atMs,
    }));
    equal(`the balances of ${ownerId} for ${modelId}`, inOrder(stored), inOrder(plain));
  }

  /** Compares everything. */
  compare(): void {
    for (const ownerId of this.keyIds.keys())
      for (const modelId of ['a', 'b']) this.#compareBuckets(ownerId, modelId);
    const { store } = this.temp;
    for (const [ownerId, keyId] of this.keyIds) {
      const principal = toPrincipal(this.keys.row(keyId), this.plans, this.clock.nowMs);
      const { accountId, planName } = principal;
      const shown = this.limiter
        .budgets(principal)
        .map(({ ownerId: owner, measure, period, limit, used }) => ({
          name: `${owner} ${measure} ${period}`,
          limit: unitsOf(measure, limit),
          used: unitsOf(measure, used),
        }));
      const plain = this.plain
        .live({ accountId, ownerId, planName }, this.clock.nowMs)
        .map(({ name, period, limit, used }) => ({ name: `${name} ${period}`, limit, used }));
      const byName = <Budget extends { name: string }>(all: Budget[]) =>
        all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      equal(`the budgets of ${ownerId}`, byName(shown), byName(plain));
    }
    const usage = queryUsage(store, { by: 'account' });
    for (const { group, units = 0 } of usage)
      equal(`the units of ${group}`, Math.round(units * 1e6), this.plain.charged.get(group) ?? 0);
    const told = store.notices.list(0, 1_000_000, this.clock.nowMs).map(({ occasion }) => occasion);
    equal('the notices', told.toSorted(), [...this.plain.told].toSorted());
  }
}

function equal(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${what}: ${JSON.stringify(found)}, but by the plain model ${JSON.stringify(expected)}`);
}

/** Random operations in a time zone from `startMs` on; how many requests got which answer. Throws at the first difference. */
export function tryOperations(zone: string, startMs: number, count: number, seed?: number) {
  const operations = fc.sample(operation, { numRuns: count, ...(seed !== undefined && { seed }) });
  const world = new LimitsWorld(zone, startMs);
  try {
    for (const [index, one] of operations.entries()) {
      try {
        world.do(one);
        if (index % 25 === 0 || index === count - 1) world.compare();
      } catch (error) {
        throw new Error(`operation ${index} in ${zone}, ${JSON.stringify(one)}`, { cause: error });
      }
    }
    return { answers: world.answers, notices: world.plain.told.size };
  } finally {
    world.temp.dispose();
  }
}

/** Zones whose clocks change at night, at midnight and by half an hour, each from shortly before it does so. */
export const zones: readonly (readonly [zone: string, startMs: number])[] = [
  ['Europe/Berlin', Date.UTC(2026, 2, 25)],
  ['America/New_York', Date.UTC(2026, 9, 29)],
  ['America/Santiago', Date.UTC(2026, 8, 3)],
  ['Australia/Lord_Howe', Date.UTC(2026, 3, 2)],
  ['UTC', Date.UTC(2026, 11, 29)],
];
