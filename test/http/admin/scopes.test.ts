import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userScopes } from '../../../src/accounts/types.ts';
import { meteredRoutes, type MeteredRoute } from '../../../src/api/generation/metering.ts';
import { scopeOfRoute } from '../../../src/api/middleware/scopes.ts';
import { operations } from '../../../src/api/openapi/operations.ts';
import { listenWithAccounts, type AdminService, type Answer } from '../../support/fakes/admin-service.ts';
import { hello } from '../../support/fakes/http-service.ts';
import { settlementOf } from '../../unit/limits/fixture.ts';
import { expectError } from '../../support/wire/error-envelope.ts';

let service: AdminService;
beforeAll(async () => {
  service = await listenWithAccounts();
  await service.ask('POST', '/admin/v1/accounts', { name: 'alice', plan: 'standard' }, 201);
});
afterAll(() => service.close());

const userOperations = operations.filter(({ access }) => access === 'user');

const create = (body: object): Promise<Answer> =>
  service.ask('POST', '/admin/v1/keys', { account: 'alice', ...body }, 201);
const adminKey = (...scopes: string[]) =>
  service.keys.create({ accountId: service.accounts.get('root').id, kind: 'admin', scopes }).secret;

describe.each(userOperations)('$method $path', ({ method, path }) => {
  const scope = scopeOfRoute(path);
  const ask = async (scopes: readonly string[]) => {
    const key = await create({ scopes });
    const response = await service.send(
      method,
      path.replaceAll(/\{\w+\}/g, 'x'),
      undefined,
      String(key['value']),
    );
    return { status: response.status, text: await response.text(), id: String(key['id']) };
  };

  it('opens to a key with its scope, and to no other', async () => {
    if (scope === undefined) throw new Error('it has no scope: add it to src/api/middleware/scopes.ts');
    if (scope !== 'any') {
      const others = userScopes.filter((one) => one !== scope);
      const { status, text, id } = await ask(others);
      expect(status).toBe(403);
      expect(text).toContain(`needs the scope ${scope}`);
      expect(text).toContain(`hearth keys set ${id} --scopes ${[...others, scope].join(',')}`);
    }
    expect((await ask([scope === 'any' ? 'files' : scope])).status).not.toBe(403);
  });
});

it('every route that computes tokens or sound needs a scope of its own', () => {
  for (const { route, measures } of Object.values<MeteredRoute>(meteredRoutes))
    if (measures.some((measure) => measure !== 'requests'))
      expect(scopeOfRoute(route), route).not.toBe('any');
});

describe('a key with scopes', () => {
  it('keeps them when it is changed elsewhere or rotated, and until they are taken away', async () => {
    const key = await create({ scopes: ['files', 'chat', 'files'], parallel: 3 });
    const path = `/admin/v1/keys/${String(key['id'])}`;
    expect(key).toMatchObject({ scopes: ['files', 'chat'], parallel: 3 });
    expect(await service.ask('PATCH', path, { name: 'app' })).toMatchObject({
      scopes: ['files', 'chat'],
      parallel: 3,
    });
    expect(await service.ask('PATCH', path, { scopes: ['chat'] })).toMatchObject({
      scopes: ['chat'],
      parallel: 3,
    });
    const rotated = await service.ask('POST', `${path}/rotate`, { overlap: '1h' }, 201);
    expect(rotated).toMatchObject({ scopes: ['chat'], parallel: 3 });
    expect(await service.ask('PATCH', path, { scopes: null, parallel: null })).toMatchObject({
      scopes: null,
      parallel: null,
    });
  });

  it.each([
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['chats'] }, 'scopes[0]'],
    [{ scopes: ['chat', 'read'] }, 'scopes[1]'],
    [{ scopes: ['plan:unlimited'] }, 'scopes[0]'],
    [{ parallel: 0 }, 'parallel'],
    [{ parallel: 1.5 }, 'parallel'],
    [{ parallel: '2' }, 'parallel'],
    [{ scope: ['chat'] }, 'scope'],
  ])('is not made of %j', async (body, param) => {
    const response = await service.send('POST', '/admin/v1/keys', { account: 'alice', ...body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param } });
  });

  it.each([
    [
      '/v1/chat/completions',
      { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-x' } }] }] },
    ],
    ['/v1/responses', { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file-x' }] }] }],
    [
      '/v1/messages',
      {
        messages: [
          { role: 'user', content: [{ type: 'document', source: { type: 'file', file_id: 'file-x' } }] },
        ],
      },
    ],
    ['/v1/documents', { file_id: 'file-x' }],
  ])('has no model read a kept file that it may not read itself: %s', async (path, body) => {
    const askWith = async (...scopes: string[]) => {
      const { value } = await create({ scopes });
      return await service.send('POST', path, { model: 'tiny', max_tokens: 5, ...body }, String(value));
    };
    const refused = await (await askWith('chat')).text();
    expect(refused).toContain('do not allow a kept file');
    expect(refused).toContain('the scope files');
    expect(await (await askWith('chat', 'files')).text()).toContain('names no file of this account');
  });

  it('makes no batch whose lines it could not ask', async () => {
    const key = await create({ scopes: ['batches', 'files'] });
    const body = { input_file_id: 'file-x', endpoint: '/v1/chat/completions', completion_window: '24h' };
    const response = await service.send('POST', '/v1/batches', body, String(key['value']));
    expect(await expectError(response, 'insufficient_permissions', null)).toContain('the scope chat');
  });
});

it('a key for some requests at once gets a 429 for one more, and none when they have ended', async () => {
  const key = await create({ parallel: 2 });
  const ask = () => service.send('POST', '/v1/chat/completions', hello, String(key['value']));
  for (let round = 0; round < 3; round += 1) expect((await ask()).status).toBe(200);
  const principal = service.authenticator.ofKey(String(key['id']));
  if (principal === undefined) throw new Error('the key is active');
  const running = [1, 2].map(() =>
    service.limiter.admit({
      principal,
      modelId: 'tiny',
      measures: ['requests'],
      route: '/v1/chat/completions',
    }),
  );
  const refused = await ask();
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await expectError(refused, 'rate_limit_exceeded', null)).toContain('runs 2 requests already');
  const ended = settlementOf();
  running[0]?.settle(ended);
  running[0]?.settle(ended);
  expect((await ask()).status).toBe(200);
  service.limiter.admit({
    principal,
    modelId: 'tiny',
    measures: ['requests'],
    route: '/v1/chat/completions',
  });
  expect((await ask()).status).toBe(429);
});

describe('an admin key that may only read', () => {
  it('looks at everything and changes nothing', async () => {
    const secret = adminKey('read');
    for (const { method, path, access } of operations.filter((one) => one.access === 'admin')) {
      if (path === '/admin/v1/events' || access !== 'admin') continue;
      const { status } = await service.send(method, path.replaceAll(/\{\w+\}/g, 'x'), undefined, secret);
      if (method === 'GET') expect(status, path).not.toBe(403);
      else expect(status, `${method} ${path}`).toBe(403);
    }
  });

  it('is told what it is, and why it may not do more', async () => {
    const secret = adminKey('read');
    const self = await service.send('GET', '/admin/v1/keys/self', undefined, secret);
    expect(await self.json()).toMatchObject({ kind: 'admin', scopes: ['read'] });
    const refused = await service.send('POST', '/admin/v1/accounts', { name: 'eve' }, secret);
    const told = await expectError(refused, 'insufficient_permissions', null);
    expect(told).toContain('It reads, and changes nothing: use another admin key');
  });
});

describe('an admin key for one plan', () => {
  it('makes accounts and keys of it and nothing else', async () => {
    const secret = adminKey('plan:trial');
    const made = ['accounts', 'keys', 'invitations'].map((name) => `POST /admin/v1/${name}`);
    for (const { method, path } of operations.filter(({ access }) => access === 'admin')) {
      const { status } = await service.send(method, path.replaceAll(/\{\w+\}/g, 'x'), undefined, secret);
      if (made.includes(`${method} ${path}`)) expect(status, path).not.toBe(403);
      else expect(status, `${method} ${path}`).toBe(403);
    }
    const post = async (path: string, body: object) => {
      const response = await service.send('POST', `/admin/v1/${path}`, body, secret);
      return { status: response.status, text: await response.text() };
    };
    expect(await post('accounts', { name: 'bob' })).toMatchObject({
      status: 201,
      text: expect.stringContaining('"trial"') as string,
    });
    expect((await post('keys', { account: 'bob', scopes: ['chat'] })).status).toBe(201);
    for (const refused of [
      await post('accounts', { name: 'eve', plan: 'unlimited' }),
      await post('keys', { account: 'alice' }),
      await post('keys', { account: 'alicia' }),
      await post('keys', { account: service.accounts.get('root').id }),
    ]) {
      expect(refused.status).toBe(403);
      expect(refused.text).toContain('on the plan trial only');
    }
    expect((await post('keys', { account: 'bob', kind: 'admin' })).status).toBe(400);
    expect((await post('keys', { account: 'bob', plan: 'unlimited' })).status).toBe(400);
    service.accounts.change('bob', { plan: 'standard' });
    expect((await post('keys', { account: 'bob' })).status).toBe(403);
  });

  it('gives an account no more than its plan gives each, but less', async () => {
    await service.ask(
      'POST',
      '/admin/v1/plans',
      { name: 'class', limits: {}, account: { tokens: { day: 500 } } },
      200,
    );
    const secret = adminKey('plan:class');
    const make = (name: string, day: number | null) =>
      service.send(
        'POST',
        '/admin/v1/accounts',
        { name, budgets: { tokens: { day }, requests: { day: 9 } } },
        secret,
      );
    expect(await expectError(await make('more', 501), 'insufficient_permissions', null)).toContain(
      "'budgets.tokens.day' is more than the 500 per day",
    );
    const budgetsOf = async (response: Response) =>
      ((await response.json()) as { budgets: { measure: string; limit: number }[] }).budgets;
    for (const [name, day, limit] of [
      ['same', 500, 500],
      ['less', 100, 100],
      ['none', null, 500],
    ] as const)
      expect(await budgetsOf(await make(name, day))).toContainEqual(
        expect.objectContaining({ measure: 'tokens', limit }),
      );
  });
});
