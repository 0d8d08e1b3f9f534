import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itemsOf, listenWithAccounts } from '../../support/fakes/admin-service.ts';
import type { AdminService, Answer } from '../../support/fakes/admin-service.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { hello } from '../../support/fakes/http-service.ts';
import { dayMs } from '../../unit/accounts/services.ts';

let service: AdminService;
beforeEach(async () => {
  service = await listenWithAccounts();
  await service.ask('POST', '/admin/v1/accounts', { name: 'alice' }, 201);
});
afterEach(() => service.close());

const createdAt = Date.UTC(2026, 10, 20) / 1000;

const create = (body: object = {}): Promise<Answer> =>
  service.ask('POST', '/admin/v1/keys', { account: 'alice', ...body }, 201);
const statusWith = async (key: Answer): Promise<number> =>
  (await service.send('GET', '/v1/models', undefined, String(key['value']))).status;
const pathOf = (key: Answer): string => `/admin/v1/keys/${String(key['id'])}`;
/** The answer to a creation without the secret: as every later answer has it. */
const shown = (key: Answer): Answer =>
  Object.fromEntries(Object.entries(key).filter(([name]) => name !== 'value'));

describe('POST /admin/v1/keys', () => {
  it('makes a key and shows its secret once', async () => {
    const key = await create({ name: 'the app' });
    const secret = String(key['value']);
    expect(secret).toMatch(/^hk-[\w-]{43}$/);
    expect(key).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{16}$/) as string,
      object: 'api_key',
      account_id: service.accounts.get('alice').id,
      account_name: 'alice',
      name: 'the app',
      kind: 'user',
      redacted_value: `${secret.slice(0, 5)}…${secret.slice(-4)}`,
      state: 'active',
      models: null,
      scopes: null,
      parallel: null,
      created_at: createdAt,
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
      tokens_left: null,
      budgets: [],
      value: secret,
    });
    expect(await statusWith(key)).toBe(200);
    expect(await service.ask('GET', pathOf(key))).toEqual({ ...shown(key), last_used_at: createdAt });
    expect(JSON.stringify(await service.ask('GET', '/admin/v1/keys'))).not.toContain(secret.slice(6, -5));
  });

  it('makes one with a budget', async () => {
    const key = await create({ limit: 5 });
    expect(key['tokens_left']).toBe(5);
    expect(await service.ask('GET', pathOf(key))).toMatchObject({ tokens_left: 5 });
  });

  it.each(['expires_in', 'expires'])('makes one that expires (%s)', async (name) => {
    const key = await create({ [name]: '90d' });
    expect(key['expires_at']).toBe(createdAt + 90 * 86_400);
    service.clock.nowMs += 90 * dayMs;
    expect(await statusWith(key)).toBe(401);
    expect(await service.ask('GET', pathOf(key))).toMatchObject({ state: 'expired' });
  });

  it('makes one for some models, by id or alias', async () => {
    const key = await create({ models: ['gpt-4o-mini', 'org/slashed', 'tiny'] });
    expect(key['models']).toEqual(['tiny', 'org/slashed']);
    const ask = (model: string) =>
      service.send('POST', '/v1/chat/completions', { ...hello, model }, String(key['value']));
    expect((await ask('gpt-4o-mini')).status).toBe(200);
    await expectError(await ask('native-r'), 'insufficient_permissions', 'model');
  });

  it.each([
    { body: { account: 'alicia' }, code: 'not_found', param: 'account' },
    { body: { account: undefined }, code: 'missing_required_parameter', param: 'account' },
    { body: { name: 'x'.repeat(101) }, code: 'invalid_value', param: 'name' },
    { body: { name: 'bell\u0007' }, code: 'invalid_value', param: 'name' },
    { body: { expires_in: 90 }, code: 'invalid_type', param: 'expires_in' },
    { body: { expires_in: '90' }, code: 'invalid_value', param: 'expires_in' },
    { body: { expires_in: '0' }, code: 'invalid_value', param: 'expires_in' },
    { body: { expires_in: '-1' }, code: 'invalid_value', param: 'expires_in' },
    { body: { expires: '90d', expires_in: '1d' }, code: 'invalid_value', param: 'expires' },
    { body: { limit: 0 }, code: 'invalid_value', param: 'limit' },
    { body: { limit: 1.5 }, code: 'invalid_type', param: 'limit' },
    { body: { limit: '5' }, code: 'invalid_type', param: 'limit' },
    { body: { budget: 5 }, code: 'unknown_parameter', param: 'budget' },
    { body: { models: [] }, code: 'invalid_value', param: 'models' },
    { body: { models: ['tiny', 'tinny'] }, code: 'invalid_value', param: 'models[1]' },
    { body: { models: 'tiny' }, code: 'invalid_type', param: 'models' },
    { body: { model: ['tiny'] }, code: 'unknown_parameter', param: 'model' },
  ] as const)('with $body: $code', async ({ body, code, param }) => {
    const response = await service.send('POST', '/admin/v1/keys', { account: 'alice', ...body });
    await expectError(response, code, param);
  });

  it('makes no admin keys: those are made on the machine itself', async () => {
    const response = await service.send('POST', '/admin/v1/keys', { account: 'alice', kind: 'admin' });
    expect(await expectError(response, 'unsupported_value', 'kind')).toContain(
      'hearth keys create --account local --admin',
    );
    expect((await create({ kind: 'user' }))['kind']).toBe('user');
  });
});

describe('PATCH /admin/v1/keys/{id}', () => {
  const patch = (key: Answer, body: object) => service.ask('PATCH', pathOf(key), body);

  it.each([0.001, 1.001, 1.0005, 2.3, 64.07])('takes a budget of %d seconds of audio', async (day) => {
    const key = await create({});
    const changed = await patch(key, { budgets: { audio_seconds: { day } } });
    expect(changed['budgets']).toMatchObject([{ limit: Math.round(day * 1000) / 1000 }]);
  });

  it('refuses a budget of audio that is less than is counted', async () => {
    const path = pathOf(await create({}));
    const response = await service.send('PATCH', path, { budgets: { audio_seconds: { day: 0.0004 } } });
    await expectError(response, 'invalid_value', 'budgets.audio_seconds.day');
  });

  it('changes what it names, and null takes a limit away', async () => {
    const key = await create({ name: 'app', expires: '1d', models: ['tiny'], limit: 5 });
    const budgets = { tokens: { day: 50, ever: 9 }, requests: { month: 3 }, audio_seconds: { week: 1.5 } };
    const changed = await patch(key, { name: 'phone', budgets });
    expect(changed).toMatchObject({
      name: 'phone',
      models: ['tiny'],
      expires_at: key['expires_at'],
      tokens_left: 9,
    });
    expect(changed['budgets']).toContainEqual({
      measure: 'tokens',
      period: 'day',
      limit: 50,
      used: 0,
      left: 50,
      resets_at: expect.any(Number) as number,
      of_plan: false,
    });
    expect(changed['budgets']).toHaveLength(4);
    const freed = await patch(key, {
      expires: null,
      models: null,
      limit: null,
      budgets: { tokens: { day: null } },
    });
    expect(freed).toMatchObject({ expires_at: null, models: null, tokens_left: null });
    expect(freed['budgets']).toMatchObject([
      { measure: 'audio_seconds', limit: 1.5 },
      { measure: 'requests' },
    ]);
    const secret = String(key['value']);
    const limits = (await (await service.send('GET', '/v1/limits', undefined, secret)).json()) as Answer;
    expect(limits['budgets']).toMatchObject([{ owner: 'key' }, { owner: 'key', period: 'month' }]);
  });

  it.each([
    [{ budgets: { tokens: { hour: 5 } } }, 'unknown_parameter', 'budgets.tokens.hour'],
    [{ budgets: { token: { day: 5 } } }, 'unknown_parameter', 'budgets.token'],
    [{ budgets: { tokens: { day: 0 } } }, 'invalid_value', 'budgets.tokens.day'],
    [{ budgets: { tokens: { day: 1.5 } } }, 'invalid_type', 'budgets.tokens.day'],
    [{ budgets: 5 }, 'invalid_type', 'budgets'],
    [{ limit: 5, budgets: { tokens: { ever: 5 } } }, 'invalid_value', 'limit'],
    [{ models: [] }, 'invalid_value', 'models'],
    [{ expires_in: '0' }, 'invalid_value', 'expires_in'],
    [{ kind: 'admin' }, 'unknown_parameter', 'kind'],
    [{ plan: 'unlimited' }, 'unknown_parameter', 'plan'],
    [{ account: 'root' }, 'unknown_parameter', 'account'],
  ] as const)('refuses %j: %s', async (body, code, param) => {
    const key = await create();
    await expectError(await service.send('PATCH', pathOf(key), body), code, param);
    expect(await service.ask('GET', pathOf(key))).toEqual(shown(key));
  });

  it('changes no admin key, whose thief could extend it for ever', async () => {
    const change = service.send('PATCH', `/admin/v1/keys/${service.admin.key.id}`, { expires: null });
    await expectError(await change, 'insufficient_permissions');
  });

  it('holds from the next request on, for requests that come together too', async () => {
    const key = await create();
    await patch(key, { limit: 60 });
    const ask = async () => {
      const body = { ...hello, max_tokens: 4 };
      const response = await service.send('POST', '/v1/chat/completions', body, String(key['value']));
      await response.arrayBuffer();
      return response.status;
    };
    const statuses = await Promise.all(Array.from({ length: 250 }, ask));
    for (const status of statuses) expect([200, 402, 429]).toContain(status);
    while ((await ask()) === 200);
    // Each used 9 tokens, and may have used 64 and more: never more than one at a time.
    expect(await service.ask('GET', pathOf(key))).toMatchObject({ tokens_left: 60 - 63 });
    const refused = await service.send('POST', '/v1/chat/completions', hello, String(key['value']));
    expect(await expectError(refused, 'insufficient_quota')).toContain('no tokens left');
  });
});

describe('GET /admin/v1/keys', () => {
  it('lists all keys, or those of one account', async () => {
    const key = await create();
    const all = itemsOf(await service.ask('GET', '/admin/v1/keys'));
    expect(all.map(({ account_name, kind }) => [account_name, kind])).toEqual([
      ['alice', 'user'],
      ['root', 'admin'],
    ]);
    expect(itemsOf(await service.ask('GET', '/admin/v1/keys?account=alice'))).toEqual([shown(key)]);
    await expectError(await service.send('GET', '/admin/v1/keys?account=bob'), 'not_found', 'account');
    await expectError(
      await service.send('GET', '/admin/v1/keys?acount=alice'),
      'unknown_parameter',
      'acount',
    );
    const twice = await service.send('GET', '/admin/v1/keys?account=alice&account=root');
    await expectError(twice, 'invalid_value', 'account');
  });
});

describe('DELETE /admin/v1/keys/{id}', () => {
  it('revokes from the next request on, and once for all', async () => {
    const key = await create();
    expect(await statusWith(key)).toBe(200);
    const revoked = await service.ask('DELETE', pathOf(key));
    expect(revoked).toMatchObject({ state: 'revoked', revoked_at: createdAt });
    expect(await statusWith(key)).toBe(401);
    service.clock.nowMs += dayMs;
    expect(await service.ask('DELETE', pathOf(key))).toEqual(revoked);
    await expectError(await service.send('DELETE', '/admin/v1/keys/key_0'), 'not_found', 'id');
  });

  it('revokes admin keys too, for the day that one leaks', async () => {
    const { id } = service.keys.create({ accountId: service.admin.key.accountId, kind: 'admin' }).key;
    expect(await service.ask('DELETE', `/admin/v1/keys/${id}`)).toMatchObject({ state: 'revoked' });
  });
});

describe('POST /admin/v1/keys/{id}/rotate', () => {
  it('makes a key in place of another, which ends at once', async () => {
    const key = await create({ name: 'app', models: ['tiny'] });
    const next = await service.ask('POST', `${pathOf(key)}/rotate`, undefined, 201);
    expect(next).toMatchObject({ name: 'app', models: ['tiny'], state: 'active' });
    expect([await statusWith(key), await statusWith(next)]).toEqual([401, 200]);
  });

  it('leaves both open for as long as is asked', async () => {
    const key = await create();
    const next = await service.ask('POST', `${pathOf(key)}/rotate`, { overlap: '1h' }, 201);
    expect(await service.ask('GET', pathOf(key))).toMatchObject({ expires_at: createdAt + 3600 });
    service.clock.nowMs += 3_599_000;
    expect([await statusWith(key), await statusWith(next)]).toEqual([200, 200]);
    service.clock.nowMs += 1000;
    expect([await statusWith(key), await statusWith(next)]).toEqual([401, 200]);
  });

  it.each([
    { overlap: 'soon', code: 'invalid_value' },
    { overlap: '-1', code: 'invalid_value' },
    { overlap: 3600, code: 'invalid_type' },
  ] as const)('refuses an overlap of $overlap', async ({ overlap, code }) => {
    const key = await create();
    await expectError(await service.send('POST', `${pathOf(key)}/rotate`, { overlap }), code, 'overlap');
    expect(await statusWith(key)).toBe(200);
  });

  it('refuses keys that are over, unknown ones and admin keys', async () => {
    const key = await create();
    await service.ask('DELETE', pathOf(key));
    await expectError(await service.send('POST', `${pathOf(key)}/rotate`), 'invalid_value', 'id');
    await expectError(await service.send('POST', '/admin/v1/keys/key_0/rotate'), 'not_found', 'id');
    const admin = await service.send('POST', `/admin/v1/keys/${service.admin.key.id}/rotate`);
    expect(await expectError(admin, 'insufficient_permissions')).toContain('hearth keys rotate');
  });
});
