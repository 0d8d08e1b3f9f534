import type { BudgetLimits } from '../../../src/accounts/budgets/budget.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Accounts } from '../../../src/accounts/accounts.ts';
import { Keys } from '../../../src/accounts/keys.ts';
import type { Limits } from '../../../src/accounts/plans.ts';
import type { DeferredCharge } from '../../../src/limits/types.ts';
import { openLimiter, planOf, principalOf, refusalOf, requestOf, settlementOf, startMs } from './fixture.ts';

let fixture: ReturnType<typeof openLimiter>;
const open = (limits: Limits, modelLimits?: Record<string, Limits>) => {
  fixture = openLimiter(limits, modelLimits);
  return fixture;
};
afterEach(() => fixture.temp.dispose());

const balances = (keyId = 'key_1') =>
  fixture.temp.store.buckets
    .of(keyId, 'model')
    .map(({ measure, window, units }) => `${measure} ${window} ${units}`);

/** A key of an account on the plan, as the store has it. */
const createKey = (options: { budgets?: BudgetLimits } = {}) => {
  const { store } = fixture.temp;
  const now = () => fixture.clock.nowMs;
  const accounts = new Accounts({ store, plans: fixture.plans, now });
  const { id: accountId } = accounts.create({ name: 'alice', plan: 'plan' });
  const keys = new Keys({ store, now });
  const { key } = keys.create({ accountId, ...options });
  return { keys, owner: { ...principalOf(key.id), accountId } };
};

describe('a budget of tokens', () => {
  it('is for all models, also of a key that replaces it, and is never filled again', () => {
    const { limiter, clock } = open({});
    const { keys, owner } = createKey({ budgets: { tokens: { ever: 100 } } });
    const { key: next } = keys.rotate(owner.keyId, 1000);
    const heir = { ...owner, keyId: next.id };
    const used = settlementOf({ promptTokens: 60, cachedTokens: 60, completionTokens: 10 });
    limiter.admit(requestOf({ principal: owner })).settle(used);
    expect(keys.get(next.id).tokensLeft).toBe(30);
    limiter.admit(requestOf({ principal: heir, modelId: 'b' })).settle(used);
    clock.nowMs += 365 * 86_400_000;
    for (const principal of [owner, heir])
      expect(refusalOf(limiter, requestOf({ principal }))).toMatchObject({
        code: 'insufficient_quota',
        status: 402,
        retryAfterSeconds: undefined,
      });
    expect(keys.get(owner.keyId).tokensLeft).toBe(-40);
    // It is of tokens only.
    limiter.admit(requestOf({ principal: owner, measures: ['requests', 'audioSeconds'] })).settle(used);
    expect(keys.get(owner.keyId).tokensLeft).toBe(-40);
  });

  it('pays for what a crash interrupted', () => {
    const { limiter } = open({});
    const { owner } = createKey({ budgets: { tokens: { ever: 1000 } } });
    const soFar = { promptTokens: 300, cachedTokens: 0, completionTokens: 300, audioSeconds: 0 };
    limiter.admit(requestOf({ principal: owner })).note(() => soFar);
    fixture.restart();
    const keys = new Keys({ store: fixture.temp.store, now: Date.now });
    expect(keys.get(owner.keyId).tokensLeft).toBe(400);
  });
});

describe('admission', () => {
  it('allows a burst up to the limit, then one request per refill', () => {
    const { limiter, clock } = open({ requests: { minute: 3 } });
    for (let index = 0; index < 3; index += 1) limiter.admit(requestOf());
    const refusal = refusalOf(limiter, requestOf());
    expect(refusal).toMatchObject({
      code: 'rate_limit_exceeded',
      status: 429,
      param: null,
      retryAfterSeconds: 20,
    });
    expect(refusal?.message).toMatch(/^[^\d]*20 seconds/);
    clock.nowMs += 19_000;
    expect(refusalOf(limiter, requestOf())?.retryAfterSeconds).toBe(1);
    clock.nowMs += 1_000;
    expect(refusalOf(limiter, requestOf())).toBeUndefined();
  });

  it('needs every bucket, and takes from none when one refuses', () => {
    const { limiter } = open({ requests: { minute: 10, hour: 2 }, inputTokens: { minute: 5 } });
    limiter.admit(requestOf()).settle(settlementOf({ promptTokens: 6 }));
    const before = balances();
    expect(refusalOf(limiter, requestOf())).toBeDefined();
    expect(balances()).toEqual(before);
    expect(fixture.temp.store.admissions.list()).toEqual([]);
    expect([...fixture.temp.store.ledger.all()]).toHaveLength(1);
  });

  it('waits for the slowest of the buckets that refuse', () => {
    const { limiter, clock } = open({ requests: { minute: 1 }, outputTokens: { hour: 3600 } });
    limiter.admit(requestOf()).settle(settlementOf({ completionTokens: 3600 + 99 }));
    expect(refusalOf(limiter, requestOf())?.retryAfterSeconds).toBe(100);
    clock.nowMs += 99_000;
    expect(refusalOf(limiter, requestOf())).toBeDefined();
    clock.nowMs += 1_000;
    expect(refusalOf(limiter, requestOf())).toBeUndefined();
  });

  it('looks only at what the route is metered on', () => {
    const { limiter } = open({ inputTokens: { minute: 1 }, audioSeconds: { hour: 10 } });
    limiter.admit(requestOf()).settle(settlementOf({ promptTokens: 100, audioSeconds: 99 }));
    const audio = requestOf({ measures: ['requests', 'audioSeconds'] });
    expect(refusalOf(limiter, requestOf())).toBeDefined();
    limiter.admit(audio).settle(settlementOf({ audioSeconds: 10.0005, promptTokens: 50 }));
    expect(balances()).toEqual(['audioSeconds hour -1', 'inputTokens minute -99']);
    expect(refusalOf(limiter, audio)?.message).toContain('audio seconds per hour');
  });

  it('lets neither keys nor models share', () => {
    const { limiter } = open({ requests: { day: 1 } });
    for (const keyId of ['key_1', 'key_2']) {
      for (const modelId of ['a', 'b']) {
        expect(refusalOf(limiter, requestOf({ principal: principalOf(keyId), modelId }))).toBeUndefined();
        expect(refusalOf(limiter, requestOf({ principal: principalOf(keyId), modelId }))).toBeDefined();
      }
    }
  });

  it('uses the limits that a plan has for a model instead of its own', () => {
    const { limiter } = open({ requests: { day: 1 } }, { model: { outputTokens: { day: 5 } } });
    limiter.admit(requestOf());
    expect(limiter.admit(requestOf()).headers).not.toHaveProperty('x-ratelimit-limit-requests');
    limiter.admit(requestOf({ modelId: 'other' }));
    expect(refusalOf(limiter, requestOf({ modelId: 'other' }))).toBeDefined();
  });

  it('without any limit admits and keeps the books', () => {
    const { limiter, temp } = open({});
    const admission = limiter.admit(requestOf());
    expect(admission.headers).toEqual({});
    admission.settle(settlementOf({ promptTokens: 7 }));
    expect([...temp.store.ledger.all()]).toMatchObject([{ promptTokens: 7, status: 200 }]);
  });
});

describe('settlement', () => {
  it('charges real usage, below zero if need be, and writes the ledger', () => {
    const { limiter, clock, temp } = open({
      requests: { minute: 10 },
      inputTokens: { minute: 60, '30d': 1000 },
    });
    const admission = limiter.admit(requestOf());
    clock.nowMs += 500;
    admission.settle(
      settlementOf({
        status: 499,
        promptTokens: 100,
        cachedTokens: 20,
        completionTokens: 3,
        durationMs: 500.4,
        timeToFirstTokenMs: 80,
      }),
    );
    expect(balances()).toEqual(['inputTokens 30d 900', 'inputTokens minute -40', 'requests minute 9']);
    expect([...temp.store.ledger.all()]).toEqual([
      {
        admittedAtMs: startMs,
        settledAtMs: startMs + 500,
        accountId: 'acct_1',
        microUnits: 0,
        keyId: 'key_1',
        modelId: 'model',
        route: '/v1/chat/completions',
        measures: 'requests,inputTokens,outputTokens',
        paidWindows: 'minute',
        batchId: null,
        status: 499,
        refunded: 0,
        promptTokens: 100,
        cachedTokens: 20,
        completionTokens: 3,
        audioMs: 0,
        durationMs: 500,
        timeToFirstTokenMs: 80,
        usageSource: 'counted',
      },
    ]);
    expect(temp.store.admissions.list()).toEqual([]);
  });

  it('of a line of a batch is left to the batch, which charges it or gives it back', () => {
    const { limiter, temp } = open({ requests: { minute: 10 }, inputTokens: { minute: 100 } });
    const deferred: DeferredCharge[] = [];
    const batch = { batchId: 'batch_1', defer: (charge: DeferredCharge) => void deferred.push(charge) };
    for (let line = 0; line < 2; line++)
      limiter.admit(requestOf({ batch })).settle(settlementOf({ promptTokens: 30 }));
    expect(balances()).toEqual(['requests minute 8']);
    const [charged, lost] = deferred;
    temp.store.immediate(() => charged?.charge());
    lost?.giveBack();
    expect(balances()).toEqual(['inputTokens minute 70', 'requests minute 9']);
    expect([...temp.store.ledger.all()].map((row) => [row.batchId, row.promptTokens, row.refunded])).toEqual([
      ['batch_1', 30, 0],
    ]);
    // One that the server's end interrupted is computed again.
    limiter.admit(requestOf({ batch }));
    expect(limiter.recoverInterrupted()).toBe(1);
    expect([[...temp.store.ledger.all()].length, balances()[1]]).toEqual([1, 'requests minute 9']);
    expect(temp.store.admissions.list()).toEqual([]);
  });

  it('happens once', () => {
    const { limiter, temp } = open({ inputTokens: { day: 100 } });
    const admission = limiter.admit(requestOf());
    admission.settle(settlementOf({ promptTokens: 10 }));
    admission.settle(settlementOf({ promptTokens: 10 }));
    expect(balances()).toEqual(['inputTokens day 90']);
    expect([...temp.store.ledger.all()]).toHaveLength(1);
  });

  it('gives the request back, at most to full', () => {
    const { limiter, clock } = open({ requests: { minute: 2, day: 5 } });
    const first = limiter.admit(requestOf());
    clock.nowMs += 60_000;
    first.settle(settlementOf({ status: 503, refundRequest: true }));
    expect(balances()).toEqual(['requests day 5', 'requests minute 2']);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -5])('takes %d tokens for none', (promptTokens) => {
    const { limiter } = open({ inputTokens: { day: 100 } });
    limiter.admit(requestOf()).settle(settlementOf({ promptTokens }));
    limiter.admit(requestOf()).settle(settlementOf({ promptTokens: 1 }));
    expect(balances()).toEqual(['inputTokens day 99']);
  });
});

describe('a crash', () => {
  it('gives the requests in flight back and leaves them in the ledger without a status', () => {
    const { limiter, clock, temp } = open({ requests: { day: 10 }, inputTokens: { day: 100 } });
    limiter.admit(requestOf()).settle(settlementOf({ promptTokens: 10 }));
    limiter.admit(requestOf());
    limiter.admit(requestOf({ modelId: 'other' }));
    clock.nowMs += 1;
    expect(fixture.restart()).toBe(2);
    expect(balances()).toEqual(['inputTokens day 90', 'requests day 9']);
    const rows = [...temp.store.ledger.all()].map(({ status, refunded, modelId }) => ({
      status,
      refunded,
      modelId,
    }));
    expect(rows).toEqual([
      { status: 200, refunded: 0, modelId: 'model' },
      { status: null, refunded: 1, modelId: 'model' },
      { status: null, refunded: 1, modelId: 'other' },
    ]);
    expect(fixture.restart()).toBe(0);
  });
});

describe('a stream', () => {
  const used = (completionTokens: number, promptTokens = 10) => ({
    promptTokens,
    cachedTokens: 4,
    completionTokens,
    audioSeconds: 0,
  });
  const limits: Limits = {
    requests: { day: 10 },
    inputTokens: { day: 1000 },
    outputTokens: { minute: 1000, day: 5000 },
  };
  const ledger = () =>
    [...fixture.temp.store.ledger.all()].map(({ status, refunded, promptTokens, completionTokens }) => [
      status,
      refunded,
      promptTokens,
      completionTokens,
    ]);
  it('is charged after a crash for what was noted: every 256 tokens, and every 2 seconds', () => {
    vi.useFakeTimers();
    const { limiter } = open(limits);
    let soFar = used(1);
    const { owner } = createKey();
    const stream = limiter.admit(requestOf({ principal: owner }));
    stream.note(() => soFar);
    soFar = used(245);
    stream.note(() => soFar);
    expect(fixture.temp.store.admissions.list()).toMatchObject([{ completionTokens: 0 }]);
    soFar = used(246);
    stream.note(() => soFar);
    expect(fixture.temp.store.admissions.list()).toMatchObject([
      { promptTokens: 10, cachedTokens: 4, completionTokens: 246 },
    ]);
    // Computed, though its client has not read it.
    soFar = used(400);
    vi.advanceTimersByTime(2000);
    soFar = used(500);
    vi.useRealTimers();
    expect(fixture.restart()).toBe(1);
    expect(ledger()).toEqual([[null, 0, 10, 400]]);
    expect(balances(owner.keyId)).toEqual([
      'inputTokens day 990',
      'outputTokens day 4600',
      'outputTokens minute 600',
      'requests day 9',
    ]);
    expect(fixture.restart()).toBe(0);
  });

  it('is charged once for all of it at its end, however often it was noted', () => {
    const { limiter } = open(limits);
    const stream = limiter.admit(requestOf());
    for (const tokens of [300, 600, 900]) stream.note(() => used(tokens, 0));
    // An estimate may have been too high.
    stream.settle(settlementOf({ promptTokens: 12, completionTokens: 700 }));
    stream.note(() => used(5000));
    expect(fixture.restart()).toBe(0);
    expect(ledger()).toEqual([[200, 0, 12, 700]]);
    expect(balances()).toEqual([
      'inputTokens day 988',
      'outputTokens day 4300',
      'outputTokens minute 300',
      'requests day 9',
    ]);
  });
});

describe('the clock', () => {
  it('that goes back starves nobody for longer than the answer says', () => {
    const { limiter, clock } = open({ requests: { minute: 1 } });
    limiter.admit(requestOf());
    clock.nowMs -= 365 * 86_400_000;
    const seconds = refusalOf(limiter, requestOf())?.retryAfterSeconds ?? 0;
    expect(seconds).toBe(60);
    clock.nowMs += (seconds - 1) * 1000;
    expect(refusalOf(limiter, requestOf())).toBeDefined();
    clock.nowMs += 1000;
    expect(refusalOf(limiter, requestOf())).toBeUndefined();
  });

  it('that jumps a year ahead and back gives one full allowance, no more', () => {
    const { limiter, clock } = open({ requests: { minute: 2 } });
    limiter.admit(requestOf());
    limiter.admit(requestOf());
    clock.nowMs += 365 * 86_400_000;
    limiter.admit(requestOf());
    limiter.admit(requestOf());
    clock.nowMs -= 365 * 86_400_000;
    expect(refusalOf(limiter, requestOf())?.retryAfterSeconds).toBe(30);
  });
});

describe('a plan', () => {
  it('that is replaced keeps the balances, capped at the new full', () => {
    const { limiter, clock, plans } = open({ requests: { minute: 10 }, inputTokens: { day: 100 } });
    limiter.admit(requestOf()).settle(settlementOf({ promptTokens: 60 }));
    plans.replace(
      new Map([['plan', planOf({ requests: { minute: 4 }, inputTokens: { day: 1000 } })]]),
      clock.nowMs,
    );
    const { headers } = limiter.admit(requestOf());
    expect(headers).toMatchObject({
      'x-ratelimit-limit-requests': '4',
      'x-ratelimit-remaining-requests': '3',
      'x-ratelimit-limit-input-tokens': '1000',
      'x-ratelimit-remaining-input-tokens': '40',
    });
  });

  it('that was set for an account counts from that moment', () => {
    const { limiter, clock, plans } = open({ requests: { minute: 60 } });
    for (let index = 0; index < 60; index += 1) limiter.admit(requestOf());
    plans.replace(new Map([['plan', planOf({ requests: { minute: 600 } })]]), startMs - 1);
    clock.nowMs += 10_000;
    const { headers } = limiter.admit(requestOf({ principal: principalOf('key_1', startMs + 9_000) }));
    expect(headers['x-ratelimit-remaining-requests']).toBe(String(9 + 10 - 1));
  });

  it('that was set counts from no earlier than that, even if the server was started anew since the last request', () => {
    const { limiter, clock, plans } = open({ inputTokens: { day: 24 } });
    limiter.admit(requestOf()).settle(settlementOf({ promptTokens: 24 }));
    const later = new Map([['plan', planOf({ inputTokens: { day: 2400 } })]]);
    plans.replace(later, startMs + 1000);
    clock.nowMs += 3_600_000;
    const { headers } = limiter.admit(requestOf({ principal: principalOf('key_1', clock.nowMs) }));
    expect(headers['x-ratelimit-remaining-input-tokens']).toBe('1');
  });

  it('that changes during a request loses no charge and cuts no grown balance', () => {
    const { limiter, clock, plans } = open({ inputTokens: { minute: 10 } });
    const slow = limiter.admit(requestOf());
    plans.replace(new Map([['plan', planOf({ inputTokens: { minute: 1000, day: 5000 } })]]), clock.nowMs);
    limiter.admit(requestOf()).settle(settlementOf({ promptTokens: 1 }));
    slow.settle(settlementOf({ promptTokens: 100 }));
    expect(balances()).toEqual(['inputTokens day 4899', 'inputTokens minute 899']);
  });
});
