import { afterEach, beforeEach, expect, it } from 'vitest';
import { itemsOf, listenWithAccounts } from '../../support/fakes/admin-service.ts';
import type { AdminService } from '../../support/fakes/admin-service.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { hello } from '../../support/fakes/http-service.ts';
import { dayMs } from '../../unit/accounts/services.ts';

let service: AdminService;
beforeEach(async () => {
  service = await listenWithAccounts();
});
afterEach(() => service.close());

const createdAt = Date.UTC(2026, 10, 20) / 1000;

it('creates an account on trial, which ends after 30 days', async () => {
  const account = await service.ask('POST', '/admin/v1/accounts', { name: 'alice' }, 201);
  expect(account).toEqual({
    id: expect.stringMatching(/^acct_[0-9a-f]{16}$/) as string,
    object: 'account',
    name: 'alice',
    plan: 'trial',
    plan_in_force: 'trial',
    created_at: createdAt,
    trial_ends_at: createdAt + 30 * 86_400,
    webhook: null,
    budgets: [],
  });
  service.clock.nowMs += 30 * dayMs - 1;
  expect(await service.ask('GET', '/admin/v1/accounts/alice')).toEqual(account);
  service.clock.nowMs += 1;
  expect(await service.ask('GET', '/admin/v1/accounts/alice')).toEqual({
    ...account,
    plan_in_force: 'reduced',
  });
});

it('meters a key by the trial, and by the reduced limits from the moment that it is over', async () => {
  const { id: accountId } = service.accounts.create({ name: 'alice' });
  const { secret } = service.keys.create({ accountId });
  const limitNow = async () => {
    const response = await service.send('POST', '/v1/chat/completions', hello, secret);
    return ['requests', 'output-tokens'].map((name) => response.headers.get(`x-ratelimit-limit-${name}`));
  };
  service.clock.nowMs += 30 * dayMs - 1;
  expect(await limitNow()).toEqual(['60', '100000']);
  service.clock.nowMs += 1;
  expect(await limitNow()).toEqual(['10', '10000']);
});

it('creates one on the plan that is asked for, and sets another', async () => {
  await service.ask('POST', '/admin/v1/accounts', { name: 'Zoë co.', plan: 'standard' }, 201);
  const path = `/admin/v1/accounts/${encodeURIComponent('Zoë co.')}`;
  const account = await service.ask('GET', path);
  expect(account).toMatchObject({ plan: 'standard', plan_in_force: 'standard', trial_ends_at: null });
  const changed = { ...account, plan: 'unlimited', plan_in_force: 'unlimited' };
  expect(await service.ask('PATCH', path, { plan: 'unlimited' })).toEqual(changed);
  expect(await service.ask('GET', `/admin/v1/accounts/${String(account['id'])}`)).toEqual(changed);
});

it('creates one with budgets', async () => {
  const budgets = { tokens: { day: 5000 }, requests: { month: 9 } };
  const account = await service.ask('POST', '/admin/v1/accounts', { name: 'kim', budgets }, 201);
  expect(account['budgets']).toMatchObject([
    { measure: 'requests', period: 'month', limit: 9 },
    { measure: 'tokens', period: 'day', limit: 5000 },
  ]);
});

it('renames one, whose keys go on, but not to the name of another, nor the owner of the machine', async () => {
  const { id: accountId } = service.accounts.create({ name: 'alice' });
  const { secret } = service.keys.create({ accountId });
  const rename = (account: string, name: string) =>
    service.send('PATCH', `/admin/v1/accounts/${account}`, { name });
  expect(await (await rename('alice', 'Alice B.')).json()).toMatchObject({ id: accountId, name: 'Alice B.' });
  expect(await (await rename(accountId, 'ALICE B.')).json()).toMatchObject({ name: 'ALICE B.' });
  expect((await service.send('GET', '/v1/models', undefined, secret)).status).toBe(200);
  await expectError(await service.send('GET', '/admin/v1/accounts/alice'), 'not_found');
  const [act] = itemsOf(await service.ask('GET', '/admin/v1/audit?limit=1'));
  expect(act).toMatchObject({
    act: 'account.change',
    before: { name: 'Alice B.' },
    after: { name: 'ALICE B.' },
  });
  for (const wrong of ['root', 'Root', 'a/b', ''])
    await expectError(await rename(accountId, wrong), 'invalid_value', 'name');
  service.accounts.create({ name: 'local' });
  expect(await expectError(await rename('local', 'me'), 'invalid_value', 'name')).toContain('owner');
  expect((await rename('local', 'local')).status).toBe(200);
});

it('lists accounts by name', async () => {
  await service.ask('POST', '/admin/v1/accounts', { name: 'alice' }, 201);
  const list = await service.ask('GET', '/admin/v1/accounts');
  expect(list).toMatchObject({ object: 'list', data: [{ name: 'alice' }, { name: 'root' }] });
});

it.each([
  { name: 'no name', body: {}, code: 'missing_required_parameter', param: 'name' },
  { name: 'a number', body: { name: 1 }, code: 'invalid_type', param: 'name' },
  { name: 'a taken name', body: { name: 'root' }, code: 'invalid_value', param: 'name' },
  { name: 'control characters', body: { name: 'a\u001b[31m' }, code: 'invalid_value', param: 'name' },
  { name: 'a slash', body: { name: 'a/b' }, code: 'invalid_value', param: 'name' },
  {
    name: 'a name that differs by its case only',
    body: { name: 'ROOT' },
    code: 'invalid_value',
    param: 'name',
  },
  { name: 'an unknown plan', body: { name: 'bob', plan: 'golden' }, code: 'invalid_value', param: 'plan' },
  { name: 'a slip', body: { name: 'bob', plans: 'trial' }, code: 'unknown_parameter', param: 'plans' },
  ...[
    ['units', 'day', 1e-7] as const,
    ['units', 'day', 1e10] as const,
    ['audio_seconds', 'week', 0.0001] as const,
    ['requests', 'month', -1] as const,
    ['tokens', 'ever', 1e13] as const,
  ].map(([measure, period, limit]) => ({
    name: `${limit} ${measure}`,
    body: { name: 'bob', budgets: { [measure]: { [period]: limit } } },
    code: 'invalid_value' as const,
    param: `budgets.${measure}.${period}`,
  })),
] as const)('refuses $name', async ({ body, code, param }) => {
  await expectError(await service.send('POST', '/admin/v1/accounts', body), code, param);
  expect(itemsOf(await service.ask('GET', '/admin/v1/accounts'))).toHaveLength(1);
});

it('answers 404 to an unknown account, and names the near one', async () => {
  const get = await service.send('GET', '/admin/v1/accounts/rot');
  expect(await expectError(get, 'not_found')).toContain('"root"');
  await expectError(await service.send('PATCH', '/admin/v1/accounts/nobody', { plan: 'trial' }), 'not_found');
  const noPlan = await service.send('PATCH', '/admin/v1/accounts/root', { plan: 'golden' });
  expect(await expectError(noPlan, 'invalid_value', 'plan')).toContain('trial, reduced');
});

it('lists the plans with all of their limits', async () => {
  const plans = itemsOf(await service.ask('GET', '/admin/v1/plans'));
  expect(plans.map(({ name }) => name)).toEqual(['trial', 'reduced', 'standard', 'unlimited']);
  expect(plans[0]).toEqual({
    object: 'plan',
    name: 'trial',
    source: 'built_in',
    days: 30,
    limits: {
      requests: { minute: 60 },
      input_tokens: { minute: 100_000, '30d': 30_000_000 },
      output_tokens: { minute: 100_000, '30d': 30_000_000 },
      audio_seconds: { hour: 3600 },
    },
    account: { tokens: null, requests: null, audio_seconds: null, units: null },
    batch: null,
    models: {},
  });
  expect(plans[3]).toMatchObject({ days: null, limits: { requests: null, audio_seconds: null } });
});

it('removes an account: its keys, its stored responses and its name, not what it used', async () => {
  const { id: accountId } = service.accounts.create({ name: 'leaver' });
  const { key, secret } = service.keys.create({ accountId });
  expect((await service.send('POST', '/v1/chat/completions', hello, secret)).status).toBe(200);
  for (const id of ['resp_1', 'resp_2'])
    service.store.responses.insert(
      {
        id,
        accountId,
        previousId: null,
        createdAtMs: 0,
        expiresAtMs: service.clock.nowMs + dayMs,
        itemCount: 1,
        itemBytes: 2,
        json: '{}',
      },
      { input: [{ id: `item_${id}`, json: '{}' }], output: [] },
    );
  expect(await service.ask('DELETE', '/admin/v1/accounts/leaver')).toEqual({
    id: accountId,
    object: 'account',
    name: 'leaver',
    deleted: true,
    revoked_keys: 1,
    deleted_responses: 2,
  });
  expect((await service.send('POST', '/v1/chat/completions', hello, secret)).status).toBe(401);
  expect(service.store.responses.find(accountId, 'resp_1', 0)).toBeUndefined();
  expect(await service.ask('GET', `/admin/v1/keys/${key.id}`)).toMatchObject({ state: 'revoked' });
  await expectError(await service.send('GET', '/admin/v1/accounts/leaver'), 'not_found');
  await expectError(await service.send('DELETE', `/admin/v1/accounts/${accountId}`), 'not_found');
  const usage = itemsOf(await service.ask('GET', `/admin/v1/usage?by=account&account=${accountId}&since=-1`));
  expect(usage).toMatchObject([{ group: accountId, requests: 1 }]);
  await service.ask('POST', '/admin/v1/accounts', { name: 'leaver' }, 201);
});

it('does not remove the account of the key that asks', async () => {
  const answer = await service.send('DELETE', '/admin/v1/accounts/root');
  expect(await expectError(answer, 'invalid_value', 'account')).toContain('"root"');
  expect((await service.send('GET', '/admin/v1/accounts/root')).status).toBe(200);
});
