import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../src/api/openapi/operations.ts';
import { listenWithAccounts } from '../../support/fakes/admin-service.ts';
import type { AdminService } from '../../support/fakes/admin-service.ts';
import { expectError } from '../../support/wire/error-envelope.ts';

let service: AdminService;
let userSecret: string;
beforeAll(async () => {
  service = await listenWithAccounts();
  userSecret = service.keys.create({ accountId: service.admin.key.accountId }).secret;
});
afterAll(() => service.close());

const routes = [
  { method: 'GET', path: '/accounts', allow: 'GET, HEAD, POST' },
  { method: 'POST', path: '/accounts', allow: 'GET, HEAD, POST' },
  { method: 'GET', path: '/accounts/root', allow: 'GET, HEAD, PATCH, DELETE' },
  { method: 'PATCH', path: '/accounts/root', allow: 'GET, HEAD, PATCH, DELETE' },
  { method: 'DELETE', path: '/accounts/root', allow: 'GET, HEAD, PATCH, DELETE' },
  { method: 'GET', path: '/keys', allow: 'GET, HEAD, POST' },
  { method: 'POST', path: '/keys', allow: 'GET, HEAD, POST' },
  { method: 'GET', path: '/keys/key_0', allow: 'GET, HEAD, PATCH, DELETE' },
  { method: 'PATCH', path: '/keys/key_0', allow: 'GET, HEAD, PATCH, DELETE' },
  { method: 'DELETE', path: '/keys/key_0', allow: 'GET, HEAD, PATCH, DELETE' },
  { method: 'POST', path: '/keys/key_0/rotate', allow: 'POST' },
  { method: 'GET', path: '/plans', allow: 'GET, HEAD, POST' },
  { method: 'POST', path: '/plans', allow: 'GET, HEAD, POST' },
  { method: 'DELETE', path: '/plans/team', allow: 'DELETE' },
  { method: 'GET', path: '/usage', allow: 'GET, HEAD' },
] as const;

const paths = [...new Map(routes.map(({ path, allow }) => [path, allow]))];
const writing = routes.filter(({ method }) => method === 'POST' || method === 'PATCH');

describe.each([...routes, { method: 'GET', path: '/nothing' }, { method: 'PUT', path: '/keys' }])(
  '$method /admin/v1$path',
  ({ method, path }) => {
    it('asks for a key', async () => {
      const response = await fetch(`${service.http.origin}/admin/v1${path}`, { method });
      await expectError(response, 'missing_api_key', null);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    });

    it.each(['hk-admin-0123456789abcdefghijklmnopqrstuvwxyzABCDEFG', 'hk-admin-'])(
      'knows no %s',
      async (secret) => {
        const response = await service.send(method, `/admin/v1${path}`, undefined, secret);
        await expectError(response, 'invalid_api_key', null);
      },
    );

    it('refuses ordinary keys, before it looks at anything else', async () => {
      const body = method === 'GET' ? undefined : '{';
      const response = await service.send(method, `/admin/v1${path}`, body, userSecret);
      const message = await expectError(response, 'insufficient_permissions', null);
      expect(message).toContain('hearth keys create --account local --admin');
    });
  },
);

describe('an admin key', () => {
  it('that is revoked or expired opens nothing', async () => {
    const { keys, clock, admin, send } = service;
    const accountId = admin.key.accountId;
    const revoked = keys.create({ accountId, kind: 'admin' });
    keys.revoke(revoked.key.id);
    const expired = keys.create({ accountId, kind: 'admin', expiresAtMs: clock.nowMs + 1000 });
    clock.nowMs += 1000;
    for (const { secret } of [revoked, expired])
      await expectError(await send('GET', '/admin/v1/keys', undefined, secret), 'invalid_api_key');
  });

  it.each([
    ['GET', '/v1/models'],
    ['GET', '/v1/nothing'],
    ['POST', '/v1/chat/completions'],
  ])(
    'does not open %s %s, so that it ends up in no program that could do with less',
    async (method, path) => {
      const response = await service.send(method, path);
      expect(await expectError(response, 'insufficient_permissions', null)).toContain('/admin/v1');
      expect(service.http.engine.calls).toEqual([]);
    },
  );
});

describe.each(writing)('$method /admin/v1$path', ({ method, path }) => {
  it.each([
    { name: 'text that is no JSON', body: '{"plan": ', code: 'invalid_json' },
    { name: 'an array', body: '[]', code: 'invalid_type' },
    { name: 'too much', body: JSON.stringify({ name: 'x'.repeat(70_000) }), code: 'request_too_large' },
  ] as const)('refuses $name', async ({ body, code }) => {
    await expectError(await service.send(method, `/admin/v1${path}`, body), code, null);
  });

  it('refuses another content type', async () => {
    const headers = { authorization: `Bearer ${service.admin.secret}`, 'content-type': 'text/plain' };
    const init = { method, headers, body: '{}' };
    await expectError(await fetch(`${service.http.origin}/admin/v1${path}`, init), 'unsupported_media_type');
  });
});

describe('paths and methods that do not exist', () => {
  it.each(['', '/', '/models/', '/accounts/', '/accounts/root/keys', '/keys/key_0/revoke', '/../v1/admin'])(
    '/admin/v1%s is not found',
    async (path) => {
      await expectError(await service.send('GET', `/admin/v1${path}`), 'not_found', null);
    },
  );

  it.each(paths)('%s tells its methods', async (path, allow) => {
    const response = await service.send('PUT', `/admin/v1${path}`);
    await expectError(response, 'method_not_allowed', null);
    expect(response.headers.get('allow')).toBe(allow);
  });
});

/** Path and body of each operation with one, as the description of the API has them: a new one is tried, too. */
const writingOperations = operations.flatMap(({ method, path, body, access }) =>
  body === undefined || access !== 'admin' || !path.startsWith('/admin')
    ? []
    : [{ method, path: path.replaceAll(/\{\w+\}/g, 'root'), ...body }],
);

describe.each(writingOperations)('$method $path', ({ method, path, schema, mediaType, example = {} }) => {
  const known = Object.keys((schema as z.ZodObject).shape);
  const slips = known
    .filter((name) => name.length > 3)
    .map((name) => [`${name.slice(0, -1)}x`, name] as const);
  const strangers = ['colour', 'Limits', '__proto__', 'constructor', 'toString', 'a b', '', 'ü'.repeat(500)];

  it.each([...slips, ...strangers.map((name) => [name, undefined] as const)])(
    'refuses %o, which it does not know, and says what it knows (%s)',
    async (name, near) => {
      const before = [service.keys.list().length, service.accounts.list().length];
      const body = JSON.stringify(example)
        .replace(/^\{/, `{${JSON.stringify(name)}:1,`)
        .replace(',}', '}');
      const response =
        mediaType === 'multipart/form-data'
          ? await sendForm(path, name)
          : await service.send(method, path, body);
      const message = await expectError(response, 'unknown_parameter', name.slice(0, 64) || null);
      if (near !== undefined) expect(message).toContain(`'${near}'`);
      expect(message.length).toBeLessThan(1500);
      expect([service.keys.list().length, service.accounts.list().length]).toEqual(before);
    },
  );
});

describe.each(operations.filter(({ access, path }) => access === 'admin' && path.startsWith('/admin')))(
  '$method $path',
  ({ method, path, body }) => {
    it('refuses what its query has for nobody, before it does anything', async () => {
      const before = [service.keys.list(), service.accounts.list().length];
      const to = `${path.replaceAll(/\{\w+\}/g, 'root')}?colour=1`;
      const sent = body === undefined ? undefined : { account: 'root', name: 'new', ...body.example };
      await expectError(await service.send(method, to, sent), 'unknown_parameter', 'colour');
      expect([service.keys.list(), service.accounts.list().length]).toEqual(before);
    });
  },
);

function sendForm(path: string, name: string): Promise<Response> {
  const body = new FormData();
  body.append(name, '1');
  const headers = { authorization: `Bearer ${service.admin.secret}` };
  return fetch(service.http.origin + path, { method: 'POST', headers, body });
}

it('is kept by no cache, errors included', async () => {
  for (const path of ['/keys', '/keys/none'])
    expect((await service.send('GET', `/admin/v1${path}`)).headers.get('cache-control')).toBe('no-store');
});

it('is closed while the server drains', async () => {
  service.http.health.isDraining = true;
  await expectError(await service.send('GET', '/admin/v1/keys'), 'server_shutting_down');
  service.http.health.isDraining = false;
});

it('shows no secret in the log', async () => {
  const secret = (await service.ask('POST', '/admin/v1/keys', { account: 'root' }, 201))['value'];
  const log = service.http.logLines.join('');
  expect(log).toContain('/admin/v1/keys');
  for (const one of [secret, service.admin.secret, userSecret]) expect(log).not.toContain(one);
});
