import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  itemsOf,
  listenWithAccounts,
  type AdminService,
  type Answer,
} from '../../support/fakes/admin-service.ts';
import { expectError } from '../../support/wire/error-envelope.ts';

let service: AdminService;
beforeEach(async () => {
  service = await listenWithAccounts();
});
afterEach(() => service.close());

const invite = (body: object = {}): Promise<Answer> =>
  service.ask('POST', '/admin/v1/invitations', body, 201);
const pathOf = ({ id }: Answer) => `/admin/v1/invitations/${String(id)}`;

/** A claim as a browser sends it, without any key. */
const send = (body: object) =>
  fetch(`${service.http.origin}/page/claim`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const claim = (code: unknown, name?: string, browser = `browser of ${name ?? 'nobody'} at home`) =>
  send({ code, browser, name });

describe('an invitation', () => {
  it('gives whoever has its link an account of their name, and a key', async () => {
    const wanted = {
      name: '7b',
      plan: 'standard',
      seats: 2,
      scopes: ['chat'],
      parallel: 2,
      models: ['tiny'],
    };
    const budgets = { tokens: { day: 500 } };
    const invitation = await invite({ ...wanted, budgets, key_expires_in: '90d' });
    expect(invitation).toMatchObject({ ...wanted, budgets, state: 'open', claims: [] });
    expect(invitation['path']).toBe(`/#invite=${String(invitation['code'])}`);
    const { code } = invitation;
    const looked = await claim(code);
    expect(await looked.json()).toEqual({
      object: 'claim',
      invitation: '7b',
      claimed_by: null,
      value: null,
      open_until: service.clock.nowMs / 1000 + 7 * 86_400,
      budgets: expect.objectContaining(budgets),
      plan: expect.objectContaining({ name: 'standard', limits: expect.any(Object) }),
    });

    const claimed = (await (await claim(code, ' Anna ')).json()) as Answer;
    expect(claimed).toMatchObject({ claimed_by: 'Anna', invitation: '7b' });
    expect(service.accounts.get('Anna')).toMatchObject({ plan: 'standard' });
    const [key] = itemsOf(await service.ask('GET', '/admin/v1/keys?account=Anna'));
    expect(key).toMatchObject({
      scopes: ['chat'],
      parallel: 2,
      models: ['tiny'],
      name: '7b',
      budgets: [{ limit: 500 }],
    });
    expect(key?.['expires_at']).toBe(service.clock.nowMs / 1000 + 90 * 86_400);
    const models = await service.send('GET', '/v1/models', undefined, String(claimed['value']));
    expect(models.status).toBe(200);

    expect(await service.ask('GET', pathOf(invitation))).toMatchObject({
      state: 'open',
      claims: [{ account_name: 'Anna', key_id: key?.['id'] }],
    });
    expect(JSON.stringify(await service.ask('GET', '/admin/v1/invitations'))).not.toContain(String(code));
  });

  it('is claimed once by a browser, which sees that it was', async () => {
    const { code } = await invite({ seats: 5 });
    const browser = 'a browser in the library';
    expect((await claim(code, 'Anna', browser)).status).toBe(200);
    expect(await (await claim(code, undefined, browser)).json()).toMatchObject({
      claimed_by: 'Anna',
      value: null,
    });
    const again = await claim(code, 'Berta', browser);
    expect(await expectError(again, 'invalid_invitation', null)).toContain('already, as "Anna"');
    expect(service.accounts.list().map(({ name }) => name)).toEqual(['Anna', 'root']);
  });

  it('has as many seats as it says, whatever comes at once', async () => {
    const invitation = await invite({ seats: 7 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const twice = `browser number ${index % 25}`;
        const { status } = await claim(invitation['code'], `pupil ${index}`, twice);
        return status;
      }),
    );
    expect(answers.filter((status) => status === 200)).toHaveLength(7);
    expect(answers.filter((status) => status === 403)).toHaveLength(43);
    expect(service.accounts.list()).toHaveLength(8);
    expect(await service.ask('GET', pathOf(invitation))).toMatchObject({ state: 'full' });
    expect(itemsOf(await service.ask('GET', '/admin/v1/keys'))).toHaveLength(8);
  });

  it('takes no seat for a name that cannot be had, and no plan from the body', async () => {
    const invitation = await invite({ seats: 2 });
    const { code } = invitation;
    await expectError(await claim(code, 'ROOT'), 'invalid_value', 'name');
    await expectError(await claim(code, ''), 'invalid_value', 'name');
    expect(await service.ask('GET', pathOf(invitation))).toMatchObject({ claims: [] });
    const body = { code, browser: 'a browser at home', name: 'eve' };
    for (const more of [{ plan: 'unlimited' }, { kind: 'admin' }, { budgets: {} }, { seats: 9 }])
      await send({ ...body, ...more });
    await send(body);
    expect(service.accounts.get('eve')).toMatchObject({ plan: 'trial' });
    expect(service.keys.list(service.accounts.get('eve').id)).toMatchObject([{ kind: 'user', budgets: [] }]);
  });

  it('has a new link in place of the old one, as long as it is open', async () => {
    const invitation = await invite({ seats: 2 });
    const code = `${pathOf(invitation)}/code`;
    await claim(invitation['code'], 'Anna');
    const renewed = await service.ask('POST', code, undefined, 201);
    expect(renewed).toMatchObject({ id: invitation['id'], claims: [{ account_name: 'Anna' }] });
    expect(renewed['path']).toBe(`/#invite=${String(renewed['code'])}`);
    await expectError(await claim(invitation['code'], 'Berta'), 'invalid_invitation', null);
    expect((await claim(renewed['code'], 'Berta')).status).toBe(200);
    await expectError(await service.send('POST', code), 'invalid_value', 'id');
    await expectError(await service.send('POST', '/admin/v1/invitations/inv_0/code'), 'not_found', 'id');
  });

  it('is over after its time, and when it is closed', async () => {
    const [old, open] = [await invite({ expires_in: '2h' }), await invite()];
    service.clock.nowMs += 2 * 3_600_000;
    expect(await expectError(await claim(old['code'], 'Anna'), 'invalid_invitation')).toContain('is over');
    expect(await service.ask('DELETE', pathOf(open))).toMatchObject({ state: 'closed', revoked_keys: 0 });
    expect(await expectError(await claim(open['code'], 'Anna'), 'invalid_invitation')).toContain('closed');
    const states = itemsOf(await service.ask('GET', '/admin/v1/invitations')).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(['closed', 'expired']));
  });

  it('is taken back with all keys that it made, and those in their place', async () => {
    const invitation = await invite({ seats: 9 });
    const secrets: string[] = [];
    for (const name of ['Anna', 'Berta']) {
      const { value } = (await (await claim(invitation['code'], name)).json()) as Answer;
      secrets.push(String(value));
    }
    const [key] = service.keys.list(service.accounts.get('Anna').id);
    secrets.push(service.keys.rotate(key?.id ?? '', 3_600_000).secret);
    const closed = await service.ask('DELETE', `${pathOf(invitation)}?revoke_keys=true`);
    expect(closed).toMatchObject({ state: 'closed', revoked_keys: 3 });
    for (const secret of secrets)
      expect((await service.send('GET', '/v1/models', undefined, secret)).status).toBe(401);
    expect((await service.send('GET', '/admin/v1/keys')).status).toBe(200);
  });

  it('has its code in no log and not in the database', async () => {
    const { code } = await invite();
    await claim(code, 'Anna');
    service.store.checkWritable();
    for (const file of [service.temp.file, `${service.temp.file}-wal`])
      expect(readFileSync(file).includes(String(code))).toBe(false);
    expect(JSON.stringify(service.http.logLines)).toContain('/page/claim');
    expect(JSON.stringify(service.http.logLines)).not.toContain(String(code));
  });

  it.each([
    [{ plan: 'golden' }, 'plan'],
    [{ seats: 0 }, 'seats'],
    [{ seats: 10_001 }, 'seats'],
    [{ expires_in: '-1' }, 'expires_in'],
    [{ scopes: ['read'] }, 'scopes[0]'],
    [{ models: ['tinny'] }, 'models[0]'],
    [{ count: 3 }, 'count'],
  ])('is not made of %j', async (body, param) => {
    const response = await service.send('POST', '/admin/v1/invitations', body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param } });
  });

  it('of a key that manages a plan is of that plan', async () => {
    const scopes = ['plan:reduced'];
    const { secret } = service.keys.create({ accountId: service.admin.key.accountId, kind: 'admin', scopes });
    const ask = (body: object) => service.send('POST', '/admin/v1/invitations', body, secret);
    expect(await (await ask({ seats: 3 })).json()).toMatchObject({ plan: 'reduced' });
    await expectError(await ask({ plan: 'unlimited' }), 'insufficient_permissions', null);
  });
});

it('whoever guesses codes has to wait, and then a right one is taken', async () => {
  const { code } = await invite();
  for (let guess = 0; guess < 20; guess += 1)
    await expectError(await claim(`wrong-${guess}`), 'invalid_invitation', null);
  const refused = await claim(code, 'Anna');
  await expectError(refused, 'rate_limit_exceeded', null);
  expect(Number(refused.headers.get('retry-after'))).toBe(60);
  service.clock.nowMs += 60_000;
  expect((await claim(code, 'Anna')).status).toBe(200);
  for (const body of [{}, { code }, { code, browser: 'short' }, { code: 5, browser: 'a browser at home' }])
    expect((await send(body)).status).toBe(400);
});
