import { afterEach, beforeEach, expect, it } from 'vitest';
import { itemsOf, listenWithAccounts, type AdminService } from '../../support/fakes/admin-service.ts';
import { hello } from '../../support/fakes/http-service.ts';
import { expectError } from '../../support/wire/error-envelope.ts';

let service: AdminService;
beforeEach(async () => {
  service = await listenWithAccounts();
});
afterEach(() => service.close());

const notices = async (query = '') => itemsOf(await service.ask('GET', `/admin/v1/notices${query}`));

it('tells of a budget at 80 and at 100 per cent, once in each period and for each limit', async () => {
  const { accounts, keys, clock } = service;
  const { id: accountId } = accounts.create({
    name: 'alice',
    plan: 'unlimited',
    budgets: { tokens: { day: 20 } },
  });
  const { key, secret } = keys.create({ accountId, name: 'laptop', budgets: { requests: { ever: 5 } } });
  const ask = () => service.send('POST', '/v1/chat/completions', { ...hello, model: 'tiny' }, secret);
  // 9 tokens each.
  expect((await ask()).status).toBe(200);
  expect(await notices()).toEqual([]);
  expect((await ask()).status).toBe(200);
  const [first] = await notices();
  expect(first).toEqual({
    id: expect.stringMatching(/^ntc_/) as string,
    object: 'notice',
    type: 'budget.warning',
    at: clock.nowMs / 1000,
    account_id: accountId,
    message: '80% of the budget of the account alice is used: 20 tokens per day.',
    data: {
      account: 'alice',
      owner: 'account',
      key_id: null,
      measure: 'tokens',
      period: 'day',
      limit: 20,
      used: 18,
      percent: 80,
      resets_at: expect.any(String) as string,
    },
    stands: true,
  });
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(402);
  const told = async () => (await notices('?since=-1')).map(({ type, message }) => [type, message]);
  const ofAccount = ['budget.exhausted', 'The budget of the account alice is used up: 20 tokens per day.'];
  expect(await told()).toContainEqual(ofAccount);
  expect(await told()).toHaveLength(2);
  accounts.change('alice', { budgets: { tokens: { day: 200 } } });
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(200);
  const ofKey = 'The budget of the key laptop of alice is used up: 5 requests.';
  expect(await told()).toContainEqual(['budget.exhausted', ofKey]);
  expect(await told()).toHaveLength(4);
  keys.change(key.id, { budgets: { requests: { ever: null } } });
  accounts.change('alice', { budgets: { tokens: { day: 20 } } });
  clock.nowMs += 86_400_000;
  for (const status of [200, 200, 200, 402]) expect((await ask()).status).toBe(status);
  expect(await told()).toHaveLength(6);
  expect(await notices('?limit=1')).toHaveLength(1);
  await expectError(await service.send('GET', '/admin/v1/notices?limit=0'), 'invalid_value', 'limit');
  await expectError(
    await service.send('GET', '/admin/v1/notices', undefined, secret),
    'insufficient_permissions',
  );
});

it('tells of both shares that one request reaches as of the greater one', async () => {
  const { accounts, keys } = service;
  const { id: accountId } = accounts.create({
    name: 'bob',
    plan: 'unlimited',
    budgets: { requests: { day: 1 } },
  });
  const { secret } = keys.create({ accountId, name: 'laptop' });
  const { status } = await service.send('POST', '/v1/chat/completions', { ...hello, model: 'tiny' }, secret);
  expect(status).toBe(200);
  expect((await notices('?since=-1')).map(({ type }) => type)).toEqual(['budget.exhausted']);
});

it('has an address for each account that names one, shows what signs once, and audits its host only', async () => {
  const webhook = 'https://hooks.example/T0/B0/secret-path';
  const made = await service.ask('POST', '/admin/v1/accounts', { name: 'alice', webhook }, 201);
  expect(made).toMatchObject({
    webhook,
    webhook_secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) as string,
  });
  const shown = await service.ask('GET', '/admin/v1/accounts/alice');
  expect(shown).toMatchObject({ webhook });
  expect(shown).not.toHaveProperty('webhook_secret');
  const changed = await service.ask('PATCH', '/admin/v1/accounts/alice', { plan: 'standard' });
  expect(changed).not.toHaveProperty('webhook_secret');
  for (const address of ['http://hooks.example/', 'https://192.168.1.1/', 'https://localhost/', 5])
    await expectError(
      await service.send('PATCH', '/admin/v1/accounts/alice', { webhook: address }),
      typeof address === 'string' ? 'invalid_value' : 'invalid_type',
      'webhook',
    );
  expect(await service.ask('PATCH', '/admin/v1/accounts/alice', { webhook: null })).toMatchObject({
    webhook: null,
  });
  const audit = JSON.stringify(await service.ask('GET', '/admin/v1/audit'));
  expect(audit).toContain('hooks.example');
  expect(audit).not.toContain('secret-path');
});

/** What those who watch the server are told of its notices, time after time. */
async function* toldNotices() {
  const response = await service.send('GET', '/admin/v1/events');
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk);
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines.filter((one) => one.includes('"type":"notices"'))) {
      const { data } = JSON.parse(line.slice('data: '.length)) as { data: Record<string, unknown>[] };
      yield data;
    }
  }
}

it('is told to those who watch the server', async () => {
  service.notices.tell('once', { kind: 'model.failed', message: 'tiny failed', data: { model: 'tiny' } });
  const told: unknown[] = [];
  for await (const data of toldNotices()) {
    told.push(data.map(({ message }) => String(message)).toSorted());
    if (told.length === 2) break;
    service.notices.tell('again', { kind: 'model.failed', message: 'tiny died', data: {} });
  }
  expect(told).toEqual([['tiny failed'], ['tiny died', 'tiny failed']]);
});

it('says of each whether its account is there and its key works, and tells watchers when that changes', async () => {
  const { accounts, keys, clock } = service;
  const { id: accountId } = accounts.create({ name: 'carol', plan: 'unlimited' });
  const budgets = { requests: { day: 1 } };
  const old = keys.create({ accountId, name: 'phone', budgets });
  // Its budgets go on with the key that replaces it.
  const phone = keys.rotate(old.key.id, 0);
  const tablet = keys.create({ accountId, name: 'tablet', budgets, expiresAtMs: clock.nowMs + 60_000 });
  service.notices.tell('account', { kind: 'budget.warning', message: 'of carol', accountId, data: {} });
  for (const { secret } of [phone, tablet])
    await service.send('POST', '/v1/chat/completions', { ...hello, model: 'tiny' }, secret);
  service.notices.tell('disk', { kind: 'disk.full', message: 'of nobody', data: {} });
  const standing = (all: readonly Record<string, unknown>[]) =>
    all
      .filter(({ stands }) => stands)
      .map(({ message }) => String(message).replace(/ is used.*/, ''))
      .toSorted();
  const [ofPhone, ofTablet] = ['phone', 'tablet'].map((name) => `The budget of the key ${name} of carol`);
  expect(standing(await notices('?since=-1'))).toEqual([ofPhone, ofTablet, 'of carol', 'of nobody']);
  clock.nowMs += 60_000;
  const told: unknown[] = [];
  for await (const data of toldNotices()) {
    told.push(standing(data));
    if (told.length === 2) break;
    keys.revoke(phone.key.id);
  }
  expect(told).toEqual([
    [ofPhone, 'of carol', 'of nobody'],
    ['of carol', 'of nobody'],
  ]);
  await accounts.remove(accountId);
  expect(standing(await notices('?since=-1'))).toEqual(['of nobody']);
});
