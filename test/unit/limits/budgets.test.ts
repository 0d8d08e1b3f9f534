import { afterEach, describe, expect, it } from 'vitest';
import { Accounts } from '../../../src/accounts/accounts.ts';
import { setBudgets } from '../../../src/accounts/budgets/budget.ts';
import { Calendar } from '../../../src/accounts/budgets/calendar.ts';
import type { Prices } from '../../../src/accounts/budgets/price.ts';
import { Keys } from '../../../src/accounts/keys.ts';
import { PlanBook } from '../../../src/accounts/plans.ts';
import { StoredLimiter } from '../../../src/limits/limiter.ts';
import { queryUsage, queryUsageInSlices } from '../../../src/limits/reports/usage.ts';
import type { Admission } from '../../../src/limits/types.ts';
import { openTempStore } from '../store/temp-store.ts';
import { planOf, principalOf, refusalOf, requestOf, settlementOf } from './fixture.ts';

const zone = 'Europe/Berlin';
let temp: ReturnType<typeof openTempStore>;
afterEach(() => temp.dispose());

/** Accounts with keys on a plan that gives each account a budget of tokens a day, where one is named. */
interface Opened {
  readonly perDay?: number;
  readonly nowMs?: number;
  readonly prices?: Prices;
}

function open({ perDay, nowMs = Date.UTC(2026, 10, 26, 12), prices = {} }: Opened = {}) {
  temp = openTempStore();
  const { store } = temp;
  const clock = { nowMs };
  const now = () => clock.nowMs;
  const plan = {
    ...planOf({}),
    ...(perDay !== undefined && { accountBudgets: { tokens: { day: perDay } } }),
  };
  const calendar = new Calendar(zone);
  const plans = new PlanBook(new Map([['plan', plan]]), nowMs, calendar, prices);
  const accounts = new Accounts({ store, plans, now });
  const keys = new Keys({ store, now, calendar });
  /** The limits that refused requests, as the metric names them. */
  const refusals: string[] = [];
  const onRefusal = (...labels: readonly string[]) => refusals.push(labels.join(' '));
  const create = () => new StoredLimiter({ store, plans, now, onRefusal });
  const world = {
    store,
    plans,
    create,
    clock,
    accounts,
    keys,
    refusals,
    limiter: create(),
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

it.each([
  ['tokens', 'tokens', used(5)],
  ['requests', 'requests', used(5)],
  ['audioSeconds', 'audio_seconds', settlementOf({ audioSeconds: 5 })],
  ['units', 'units', used(5)],
] as const)('a refusal by a budget of %s is counted as one of %s', (measure, name, settlement) => {
  const { limiter, principal, account, refusals } = open({ prices: { model: { inputTokens: 1e6 } } });
  const owner = principal(account('alice'), { [measure]: { day: 1 } });
  const measures = ['requests', 'inputTokens', 'outputTokens', 'audioSeconds'] as const;
  const request = requestOf({ principal: owner, measures });
  const first = limiter.admit(request);
  // A reservation refuses as a used-up budget does.
  expect(refusalOf(limiter, request)).toMatchObject({ status: 429 });
  first.settle(settlement);
  expect(refusalOf(limiter, request)).toMatchObject({ status: 402 });
  expect(refusals).toEqual([`model ${name} budget`, `model ${name} budget`]);
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
          'The budget of this account is used up: 100 tokens per day. It is full again at 2026-11-26T23:00:00Z.',
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

it('budgets that are set later count what is used from then on', () => {
  const { store, limiter, principal, account, keys } = open();
  const owner = principal(account('alice'));
  limiter.admit(requestOf({ principal: owner })).settle(used(50));
  setBudgets(store, owner.keyId, { tokens: { day: 10 } });
  limiter.admit(requestOf({ principal: owner })).settle(used(10));
  expect(keys.get(owner.keyId).budgets).toMatchObject([{ used: 10, left: 0 }]);
});

describe('units', () => {
  const prices = {
    model: { inputTokens: 2, cachedTokens: 0.5, outputTokens: 8, requests: 0.0001 },
    heard: { audioSeconds: 0.006 },
  };
  const talk = settlementOf({ promptTokens: 1000, cachedTokens: 400, completionTokens: 50 });
  /** Millionths: 600 × 2 + 400 × 0.5 + 50 × 8, and a request. */
  const talkCost = 1200 + 200 + 400 + 100;

  it('cost what the prices of a model say, to the millionth, in budgets and in usage', async () => {
    const { store, limiter, principal, account, keys } = open({ prices });
    const owner = principal(account('alice'), { units: { month: 5 } });
    const ask = (modelId: string, settlement = talk) =>
      limiter
        .admit(
          requestOf({ principal: owner, modelId, measures: ['requests', 'inputTokens', 'outputTokens'] }),
        )
        .settle(settlement);
    for (let count = 0; count < 1000; count += 1) ask('model');
    ask('free');
    limiter
      .admit(requestOf({ principal: owner, modelId: 'heard', measures: ['requests', 'audioSeconds'] }))
      .settle(settlementOf({ audioSeconds: 1.235, promptTokens: 1e6 }));
    ask('model', settlementOf({ status: 500, refundRequest: true }));
    const micro = 1000 * talkCost + 1235 * 6;
    expect(keys.get(owner.keyId).budgets).toMatchObject([
      { measure: 'units', used: micro / 1e6, left: (5e6 - micro) / 1e6 },
    ]);
    const usage = queryUsage(store, { by: 'model' });
    expect(usage.map(({ group, units }) => [group, units])).toEqual([
      ['free', 0],
      ['heard', 0.007_41],
      ['model', (1000 * talkCost) / 1e6],
    ]);
    expect(await queryUsageInSlices(store, { by: 'model' })).toEqual(usage);
    expect(queryUsage(store, { by: 'model', modelId: 'free' })[0]?.units).toBeUndefined();
  });

  it('are reserved at the dearest, refused when they are used up, and hold no model without a price', () => {
    const { limiter, principal, account } = open({ prices });
    const owner = principal(account('alice'), { units: { day: 0.002 } });
    const most = () => ({ tokens: 250, audioSeconds: 0 });
    const request = requestOf({ principal: owner, most });
    const first = limiter.admit(request);
    // 250 tokens of output and a request may cost 2,100 millionths: more than there is.
    expect(refusalOf(limiter, request)).toMatchObject({ status: 429, retryAfterSeconds: 1 });
    first.settle(talk);
    limiter.admit(request).settle(talk);
    expect(refusalOf(limiter, request)).toMatchObject({
      code: 'insufficient_quota',
      message: expect.stringContaining('0.002 units per day. It is full again at') as string,
    });
    limiter.admit({ ...request, modelId: 'free' }).settle(talk);
  });

  it('keep the price of their day when it changes, and when the server dies', () => {
    const { store, plans, clock, limiter, create, principal, account, keys } = open({ prices });
    const owner = principal(account('alice'), { units: { ever: 1 } });
    const request = requestOf({ principal: owner });
    limiter.admit(request).settle(talk);
    const dying = limiter.admit(request);
    dying.note(() => ({ ...talk, promptTokens: 300, cachedTokens: 0, completionTokens: 1 }));
    plans.replace(plans.plans, clock.nowMs, { '*': { outputTokens: 1e6 } });
    expect(create().recoverInterrupted()).toBe(1);
    // The note holds 301 tokens, of which one costs a unit by now; its earlier payment stays.
    expect(keys.get(owner.keyId).budgets).toMatchObject([{ used: 1 + talkCost / 1e6 }]);
    expect([...store.ledger.all()].map(({ microUnits }) => microUnits)).toEqual([talkCost, 1e6]);
    plans.replace(plans.plans, clock.nowMs);
    expect(refusalOf(limiter, request)).toBeUndefined();
  });

  it('charge a batch its share of the tokens, and all of a request', () => {
    const { store, plans, clock, limiter, principal, account } = open({ prices });
    const [[name, plan] = ['', planOf({})]] = [...plans.plans];
    plans.replace(new Map([[name, { ...plan, batchFactor: 0.5 }]]), clock.nowMs, prices);
    const owner = principal(account('alice'));
    const batch = { batchId: 'b', defer: ({ charge }: { charge: () => void }) => store.immediate(charge) };
    limiter.admit(requestOf({ principal: owner, batch })).settle(talk);
    expect([...store.ledger.all()].map(({ microUnits }) => microUnits)).toEqual([(talkCost - 100) / 2 + 100]);
  });
});
