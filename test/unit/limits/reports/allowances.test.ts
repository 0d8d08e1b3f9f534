import { afterEach, beforeEach, expect, it } from 'vitest';
import { PlanBook } from '../../../../src/accounts/plans.ts';
import { allowancesOf } from '../../../../src/limits/reports/allowances.ts';
import { StoredLimiter } from '../../../../src/limits/limiter.ts';
import { openServices } from '../../accounts/services.ts';
import { settlementOf } from '../fixture.ts';

let services: ReturnType<typeof openServices>;
beforeEach(() => {
  services = openServices();
});
afterEach(() => services.temp.dispose());

const plans = new PlanBook(
  new Map([
    [
      'few',
      {
        durationMs: undefined,
        limits: { requests: { minute: 4 }, outputTokens: { hour: 100 } },
        modelLimits: new Map([['big', { requests: { hour: 2 } }]]),
      },
    ],
  ]),
  0,
);

it('tells what is left of each limit, model by model', () => {
  const { store, accounts, keys, clock } = services;
  store.accounts.insert({ id: 'a', name: 'a', plan: 'few', planSetAtMs: 0, createdAtMs: 0 });
  const { key } = keys.create({ accountId: 'a' });
  expect(accounts.get('a').name).toBe('a');
  const limiter = new StoredLimiter({ store, plans, now: () => clock.nowMs });
  const principal = { keyId: key.id, accountId: 'a', accountName: 'a', ...rights };
  const measures = ['requests', 'outputTokens'] as const;
  const request = { principal, modelId: 'tiny', measures, route: '/v1/chat/completions' };
  limiter.admit(request).settle(settlementOf({ completionTokens: 130 }));

  const read = () =>
    allowancesOf(store, plans, key.id, clock.nowMs).allowances.map(
      ({ modelId, measure, window, limit, left, fullInMs }) =>
        `${modelId ?? 'any other'}: ${left} of ${limit} ${measure} per ${window}, full in ${fullInMs} ms`,
    );
  expect(read()).toEqual([
    'big: 2 of 2 requests per hour, full in 0 ms',
    'tiny: 3 of 4 requests per minute, full in 15000 ms',
    'tiny: -30 of 100 outputTokens per hour, full in 4680000 ms',
    'any other: 4 of 4 requests per minute, full in 0 ms',
    'any other: 100 of 100 outputTokens per hour, full in 0 ms',
  ]);
  clock.nowMs += 15_000;
  expect(read()[1]).toBe('tiny: 4 of 4 requests per minute, full in 0 ms');
});

it('names only the models that the key may use', () => {
  const { store, keys, clock } = services;
  store.accounts.insert({ id: 'a', name: 'a', plan: 'few', planSetAtMs: 0, createdAtMs: 0 });
  const { key } = keys.create({ accountId: 'a', allowedModels: ['big'] });
  const { planName, allowances } = allowancesOf(store, plans, key.id, clock.nowMs);
  expect(planName).toBe('few');
  expect(allowances.map(({ modelId, limit }) => [modelId, limit])).toEqual([['big', 2]]);
});

const rights = { kind: 'user', allowedModels: null, planName: 'few' } as const;
