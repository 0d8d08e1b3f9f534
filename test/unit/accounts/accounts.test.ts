import { afterEach, beforeEach, expect, it } from 'vitest';
import { defaultPlans } from '../../../src/accounts/plans.ts';
import { dayMs, openServices } from './services.ts';

let services: ReturnType<typeof openServices>;
beforeEach(() => {
  services = openServices();
});
afterEach(() => services.temp.dispose());

it('starts an account on a trial of 30 days, then on reduced limits', () => {
  const { accounts, clock } = services;
  const createdAtMs = clock.nowMs;
  expect(accounts.create({ name: 'alice' })).toMatchObject({
    name: 'alice',
    plan: 'trial',
    planInForce: 'trial',
    trialEndsAtMs: createdAtMs + 30 * dayMs,
  });
  clock.nowMs = createdAtMs + 30 * dayMs - 1;
  expect(accounts.get('alice').planInForce).toBe('trial');
  clock.nowMs += 1;
  expect(accounts.get('alice')).toMatchObject({ plan: 'trial', planInForce: 'reduced' });
});

it('has no trial on another plan', () => {
  const { accounts, clock } = services;
  accounts.create({ name: 'alice', plan: 'unlimited' });
  accounts.create({ name: 'bob' });
  expect(accounts.change('bob', { plan: 'standard' })).toMatchObject({
    plan: 'standard',
    trialEndsAtMs: null,
  });
  clock.nowMs += 400 * dayMs;
  expect(accounts.list().map(({ name, planInForce }) => [name, planInForce])).toEqual([
    ['alice', 'unlimited'],
    ['bob', 'standard'],
  ]);
});

it('does not start the trial again when the plan is set back', () => {
  const { accounts, clock } = services;
  accounts.create({ name: 'alice' });
  clock.nowMs += 29 * dayMs;
  accounts.change('alice', { plan: 'standard' });
  clock.nowMs += 2 * dayMs;
  expect(accounts.change('alice', { plan: 'trial' }).planInForce).toBe('reduced');
});

it('falls back to reduced limits when the configuration dropped the plan', () => {
  const { accounts, plans, clock } = services;
  plans.replace(
    new Map([...defaultPlans, ['gold', { durationMs: undefined, limits: {}, modelLimits: new Map() }]]),
    0,
  );
  accounts.create({ name: 'alice', plan: 'gold' });
  plans.replace(defaultPlans, clock.nowMs);
  expect(accounts.get('alice')).toMatchObject({ plan: 'gold', planInForce: 'reduced' });
});

it('is found by id as well', () => {
  const { id } = services.accounts.create({ name: 'alice' });
  expect(services.accounts.get(id).name).toBe('alice');
});

it.each(["O'Brien", 'Müller, Hans (7b)', 'प्रिया', 'สมชาย', 'نُور'])(
  'takes the name %s, and makes it of a wish',
  (name) => {
    const { accounts } = services;
    expect(accounts.freeName([` ${name}`])).toBe(name);
    expect(accounts.create({ name }).name).toBe(name);
    expect(accounts.freeName([name])).toBe(`${name} 2`);
  },
);

it('tells no two accounts apart by their apostrophes', () => {
  const { accounts } = services;
  accounts.create({ name: "O'Brien" });
  expect(() => accounts.create({ name: 'O’brien' })).toThrow('There is an account');
});

it.each(['', ' a', 'a\nb', 'x'.repeat(65), '-rf', '\u001B[31m'])('refuses the name %j', (name) => {
  expect(() => services.accounts.create({ name })).toThrow(
    expect.objectContaining({ code: 'invalid_value' }),
  );
});

it('says what is wrong', () => {
  const { accounts } = services;
  for (const name of ['alice', 'Anna Weiß']) accounts.create({ name });
  for (const name of ['alice', 'ALICE', 'Ａlice', 'alice ', 'ANNA  WEISS'])
    expect(() => accounts.create({ name })).toThrow(/already/);
  expect(() => accounts.create({ name: 'bob', plan: 'golden' })).toThrow(/no plan "golden".*trial, reduced/);
  expect(() => accounts.change('alice', { plan: 'golden' })).toThrow(/no plan/);
  expect(() => accounts.get('alicd')).toThrow(/no account "alicd"\. Did you mean "alice"/);
});

it('finds an account by its id before one of that name, and gives nobody a name that looks like an id', () => {
  const { accounts } = services;
  const alice = accounts.create({ name: 'alice' });
  expect(accounts.get(alice.id).name).toBe('alice');
  expect(() => accounts.create({ name: alice.id })).toThrow(/look like an id/);
  expect(accounts.create({ name: 'acct_team' }).name).toBe('acct_team');
});
