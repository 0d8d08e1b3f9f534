import { afterEach, describe, expect, it } from 'vitest';
import { Accounts } from '../../../src/accounts/accounts.ts';
import { setBudgets } from '../../../src/accounts/budgets/budget.ts';
import { fc } from '../../support/properties.ts';
import { Calendar } from '../../../src/accounts/budgets/calendar.ts';
import { Keys } from '../../../src/accounts/keys.ts';
import { PlanBook } from '../../../src/accounts/plans.ts';
import { StoredLimiter } from '../../../src/limits/limiter.ts';
import type { Admission } from '../../../src/limits/types.ts';
import { openTempStore } from '../store/temp-store.ts';
import { planOf, principalOf, refusalOf, requestOf, settlementOf } from './fixture.ts';

const zone = 'Europe/Berlin';
let temp: ReturnType<typeof openTempStore>;
afterEach(() => temp.dispose());

/** Accounts with keys on a plan that gives each account a budget of tokens a day, where one is named. */
function open({ perDay, nowMs = Date.UTC(2026, 10, 26, 12) }: { perDay?: number; nowMs?: number } = {}) {
  temp = openTempStore();
  const { store } = temp;
  const clock = { nowMs };
  const now = () => clock.nowMs;
  const plan = {
    ...planOf({}),
    ...(perDay !== undefined && { accountBudgets: { tokens: { day: perDay } } }),
  };
  const calendar = new Calendar(zone);
  const plans = new PlanBook(new Map([['plan', plan]]), nowMs, calendar);
  const accounts = new Accounts({ store, plans, now });
  const keys = new Keys({ store, now, calendar });
  const world = {
    store,
    clock,
    accounts,
    keys,
    limiter: new StoredLimiter({ store, plans, now }),
    account: (name: string) => accounts.create({ name, plan: 'plan' }).id,
    principal: (accountId: string, budgets = {}) => {
      const { key } = keys.create({ accountId, budgets });
      return { ...principalOf(key.id), accountId };
    },
  };
  return world;
}

const used = (tokens: number) => settlementOf({ promptTokens: tokens });

describe('requests that come together', () => {
  it('use no more of a budget than there is, and what one more can', () => {
    const { limiter, keys, principal, account } = open();
    const owner = principal(account('alice'), { tokens: { ever: 60 } });
    const most = () => ({ tokens: 18, audioSeconds: 0 });
    const running: Admission[] = [];
    for (let count = 0; count < 250; count += 1) {
      try {
        running.push(limiter.admit(requestOf({ principal: owner, most })));
      } catch (error) {
        expect(error).toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 1 });
      }
    }
    expect(running).toHaveLength(4);
    for (const admission of running) admission.settle(used(18));
    expect(keys.get(owner.keyId).tokensLeft).toBe(60 - 4 * 18);
    expect(refusalOf(limiter, requestOf({ principal: owner, most }))).toMatchObject({
      code: 'insufficient_quota',
      message: expect.stringContaining('this key') as string,
    });
  });

  it('give back what they did not use', () => {
    const { limiter, principal, account } = open();
    const owner = principal(account('alice'), { tokens: { ever: 100 }, requests: { day: 3 } });
    const most = () => ({ tokens: 1000, audioSeconds: 0 });
    for (let count = 0; count < 5; count += 1) {
      const admission = limiter.admit(requestOf({ principal: owner, most }));
      expect(refusalOf(limiter, requestOf({ principal: owner, most }))).toMatchObject({ status: 429 });
      admission.settle({ ...used(0), refundRequest: true });
      admission.settle(used(1000));
    }
    for (let count = 0; count < 3; count += 1)
      limiter.admit(requestOf({ principal: owner, most })).settle(used(1));
    const refusal = refusalOf(limiter, requestOf({ principal: owner, most }));
    expect(refusal).toMatchObject({
      status: 402,
      message: expect.stringContaining('3 requests per day') as string,
    });
  });
});

describe('an account', () => {
  it('has one allowance over all its keys, which comes with its plan or is its own', () => {
    const { limiter, principal, account, accounts, clock } = open({ perDay: 100 });
    const [alice, bob] = [account('alice'), account('bob')];
    const own = Array.from({ length: 10 }, () => principal(alice));
    const [first = principal(alice)] = own;
    limiter.admit(requestOf({ principal: principal(bob) })).settle(used(100));
    limiter.admit(requestOf({ principal: first })).settle(used(120));
    for (const key of own) {
      const refusal = refusalOf(limiter, requestOf({ principal: key }));
      expect(refusal).toMatchObject({
        code: 'insufficient_quota',
        retryAfterSeconds: 11 * 3600,
        message:
          'The budget of this account is used up: 100 tokens per day. It begins anew at 2026-11-26T23:00:00Z.',
      });
    }
    accounts.change('alice', { budgets: { tokens: { day: 150 } } });
    expect(accounts.get('alice').budgets).toMatchObject([
      { limit: 150, used: 120, left: 30, isOfPlan: false },
    ]);
    limiter.admit(requestOf({ principal: first })).settle(used(30));
    expect(refusalOf(limiter, requestOf({ principal: first }))).toMatchObject({ status: 402 });
    accounts.change('alice', { budgets: { tokens: { day: null } } });
    expect(accounts.get('alice').budgets).toMatchObject([{ limit: 100, used: 150, isOfPlan: true }]);
    clock.nowMs += 12 * 3_600_000;
    expect(accounts.get('alice').budgets).toMatchObject([{ limit: 100, used: 0 }]);
    limiter.admit(requestOf({ principal: first })).settle(used(1));
  });

  it('has a line of a batch wait for the next period', () => {
    const { limiter, principal, account } = open({ perDay: 1 });
    const owner = principal(account('alice'));
    limiter.admit(requestOf({ principal: owner })).settle(used(1));
    const batch = { batchId: 'b', defer: () => undefined };
    expect(refusalOf(limiter, requestOf({ principal: owner, batch }))).toMatchObject({
      status: 429,
      retryAfterSeconds: 11 * 3600,
    });
  });
});

interface Use {
  readonly owner: string;
  readonly day: string;
  readonly tokens: number;
}

it('10,000 random uses over days, clocks and summer time are what a plain list of them says', () => {
  const world = open({ perDay: 500, nowMs: Date.UTC(2026, 2, 20) });
  const ids = ['alice', 'bob'].map((name) => world.account(name));
  const owners = ids.flatMap((id) => [
    world.principal(id),
    world.principal(id, { tokens: { day: 200, month: 3000 } }),
  ]);
  const uses: Use[] = [];
  const localDay = (ms: number) => new Date(ms).toLocaleDateString('sv', { timeZone: zone });
  /** The day that an owner's uses count for: a clock that was set back goes on in the later one. */
  const dayOf = (owner: string) => {
    const [today, last] = [
      localDay(world.clock.nowMs),
      uses.findLast((use) => use.owner === owner)?.day ?? '',
    ];
    return today > last ? today : last;
  };
  const random = fc.sample(
    fc.record({
      owner: fc.constantFrom(...owners),
      tokens: fc.integer({ min: 0, max: 300 }),
      // Mostly minutes; now and then hours, or an hour and a bit back.
      stepMs: fc.oneof(
        { weight: 20, arbitrary: fc.integer({ min: 0, max: 900_000 }) },
        { weight: 2, arbitrary: fc.integer({ min: 0, max: 40_000_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: -4_000_000, max: 0 }) },
      ),
    }),
    { numRuns: 10_000, seed: 7 },
  );
  const sum = (owner: string, prefix: string) =>
    uses.reduce(
      (total, use) => total + (use.owner === owner && use.day.startsWith(prefix) ? use.tokens : 0),
      0,
    );
  for (const { owner, tokens, stepMs } of random) {
    world.clock.nowMs += stepMs;
    const isOwn = world.keys.get(owner.keyId).budgets.length > 0;
    const isFull =
      sum(owner.accountId, dayOf(owner.accountId)) >= 500 ||
      (isOwn &&
        (sum(owner.keyId, dayOf(owner.keyId)) >= 200 ||
          sum(owner.keyId, dayOf(owner.keyId).slice(0, 7)) >= 3000));
    let isRefused = false;
    try {
      world.limiter.admit(requestOf({ principal: owner })).settle(used(tokens));
    } catch {
      isRefused = true;
    }
    expect(isRefused).toBe(isFull);
    if (!isRefused && tokens > 0)
      for (const id of [owner.accountId, owner.keyId]) uses.push({ owner: id, day: dayOf(id), tokens });
    if (uses.length > 2000) uses.splice(0, uses.length - 2000);
  }
  expect(localDay(world.clock.nowMs) > '2026-04-15').toBe(true);
}, 240_000);

it('budgets that are set later count what is used from then on', () => {
  const { store, limiter, principal, account, keys } = open();
  const owner = principal(account('alice'));
  limiter.admit(requestOf({ principal: owner })).settle(used(50));
  setBudgets(store, owner.keyId, { tokens: { day: 10 } });
  limiter.admit(requestOf({ principal: owner })).settle(used(10));
  expect(keys.get(owner.keyId).budgets).toMatchObject([{ used: 10, left: 0 }]);
});
