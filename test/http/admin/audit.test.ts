import { afterEach, beforeEach, expect, it } from 'vitest';
import Sqlite from 'better-sqlite3';
import { itemsOf, listenWithAccounts, type AdminService } from '../../support/fakes/admin-service.ts';

let service: AdminService;
beforeEach(async () => {
  service = await listenWithAccounts();
});
afterEach(() => service.close());

const acts = async (query = '') => itemsOf(await service.ask('GET', `/admin/v1/audit${query}`));
const actor = () => ({ actor: service.admin.key.id, origin: '127.0.0.1' });

it('tells who did what to accounts, keys and invitations, and what differs then', async () => {
  const secrets: unknown[] = [];
  await service.ask('POST', '/admin/v1/accounts', { name: 'alice' }, 201);
  await service.ask('PATCH', '/admin/v1/accounts/alice', {
    plan: 'standard',
    budgets: { tokens: { day: 5 } },
  });
  const key = await service.ask('POST', '/admin/v1/keys', { account: 'alice', scopes: ['chat'] }, 201);
  const path = `/admin/v1/keys/${String(key['id'])}`;
  await service.ask('PATCH', path, { parallel: 2, budgets: { requests: { month: 9 } } });
  const next = await service.ask('POST', `${path}/rotate`, undefined, 201);
  await service.ask('DELETE', `/admin/v1/keys/${String(next['id'])}`);
  const invitation = await service.ask('POST', '/admin/v1/invitations', { seats: 1 }, 201);
  const ofInvitation = `/admin/v1/invitations/${String(invitation['id'])}`;
  const renewed = await service.ask('POST', `${ofInvitation}/code`, undefined, 201);
  await service.ask('DELETE', ofInvitation);
  await service.ask('DELETE', '/admin/v1/accounts/alice');
  secrets.push(key['value'], next['value'], invitation['code'], renewed['code'], service.admin.secret);

  const told = (await acts()).toReversed();
  expect(told.map(({ act }) => act)).toEqual([
    'account.create',
    'account.change',
    'key.create',
    'key.change',
    'key.create',
    'key.rotate',
    'key.revoke',
    'invitation.create',
    'invitation.renew',
    'invitation.close',
    'account.remove',
  ]);
  for (const one of told) expect(one).toMatchObject(actor());
  const [created, changed, , keyChanged, , , revoked, , , closed, removed] = told;
  expect(created).toMatchObject({ before: null, after: { name: 'alice', plan: 'trial', budgets: [] } });
  expect(changed).toMatchObject({ before: { plan: 'trial', budgets: [] } });
  expect(changed?.['after']).toEqual({
    name: 'alice',
    plan: 'standard',
    budgets: [{ measure: 'tokens', period: 'day', limit: 5 }],
  });
  expect(keyChanged).toMatchObject({ subject: key['id'], before: { parallel: null, budgets: [] } });
  expect(keyChanged?.['after']).toMatchObject({
    parallel: 2,
    budgets: [{ measure: 'requests', period: 'month', limit: 9 }],
  });
  const named = { name: '', accountName: 'alice', redacted: next['redacted_value'] };
  expect(revoked?.['before']).toEqual({ ...named, state: 'active', revokedAtMs: null });
  expect(closed).toMatchObject({ before: { state: 'open' }, after: { state: 'closed' } });
  expect(removed).toMatchObject({ before: { name: 'alice', plan: 'standard' }, after: null });
  for (const secret of secrets) expect(JSON.stringify(told)).not.toContain(String(secret).slice(10, -5));
});

it('tells of what is done to models, and of none that only looked or was refused', async () => {
  await service.ask('POST', '/admin/v1/models/tiny/unload');
  for (const path of ['accounts', 'keys', 'plans', 'audit']) await service.send('GET', `/admin/v1/${path}`);
  await service.send('HEAD', '/admin/v1/accounts');
  await service.send('POST', '/admin/v1/accounts', { name: '' });
  await service.send('POST', '/admin/v1/keys', { account: 'nobody' });
  await service.send('DELETE', '/admin/v1/keys/key_0');
  expect(await acts()).toEqual([
    {
      id: 1,
      object: 'audit_entry',
      at: service.clock.nowMs / 1000,
      before: null,
      after: null,
      ...actor(),
      act: 'model.unload',
      subject: 'tiny',
    },
  ]);
});

it('tells of claims by which invitation, and from where', async () => {
  const { id, code } = await service.ask('POST', '/admin/v1/invitations', {}, 201);
  await fetch(`${service.http.origin}/page/claim`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, browser: 'a browser at home', name: 'Anna' }),
  });
  const claimed = await acts('?limit=2');
  for (const one of claimed) expect(one).toMatchObject({ origin: '127.0.0.1' });
  expect(claimed.map(({ act, actor: by }) => [act, by])).toEqual([
    ['key.create', id],
    ['account.create', id],
  ]);
});

it('is read page by page and by time, and only added to', async () => {
  for (const name of ['a', 'b', 'c']) {
    service.clock.nowMs += 3_600_000;
    await service.ask('POST', '/admin/v1/accounts', { name }, 201);
  }
  const first = await service.ask('GET', '/admin/v1/audit?limit=2');
  expect(first).toMatchObject({ has_more: true, data: [{ id: 3 }, { id: 2 }] });
  expect(await service.ask('GET', '/admin/v1/audit?limit=2&before=2')).toMatchObject({
    has_more: false,
    data: [{ id: 1 }],
  });
  expect(await acts('?since=90m')).toMatchObject([{ id: 3 }, { id: 2 }]);
  const limits = 'limit=0 limit=1001 limit=1e2 limit=0x10 limit= limit=%205 limit=1.5'.split(' ');
  for (const query of [...limits, 'before=x', 'before=-1', 'before=1e3', 'since=2026-02-30', 'key=a'])
    expect((await service.send('GET', `/admin/v1/audit?${query}`)).status).toBe(400);

  const connection = new Sqlite(service.temp.file);
  expect(() => connection.exec("UPDATE audit SET actor = 'nobody'")).toThrow('only added to');
  connection.close();
  service.store.audit.deleteBefore(service.clock.nowMs, 1000);
  expect(await acts()).toMatchObject([{ id: 3 }]);
});
