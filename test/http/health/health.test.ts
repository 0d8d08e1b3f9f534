import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/errors.ts';
import { adminKey, buildApp, chatRequest, hello, listen, userKey } from '../../support/fakes/http-service.ts';
import type { Service } from '../../support/fakes/http-service.ts';
import { expectError } from '../../support/wire/error-envelope.ts';

let service: Service;
beforeAll(async () => {
  service = await listen();
});
afterAll(() => service.close());

/** The status of a GET that claims to go to `host`, which fetch would not let us say. */
async function statusWithHost(
  path: string,
  host: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  request({ port: service.port, path, headers: { ...headers, host } }, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  })
    .on('error', reject)
    .end();
  return promise;
}

describe.each(['/healthz', '/health'])('%s', (path) => {
  it.each(['localhost', 'evil.example', '10.0.0.5:80'])('needs no key under the name %s', async (host) => {
    expect(await statusWithHost(path, host)).toBe(200);
    expect(await statusWithHost(path, host, { authorization: 'Bearer hk-unknown' })).toBe(200);
    expect((await buildApp().app.request(path)).status).toBe(200);
  });
});

describe('/readyz', () => {
  const path = '/readyz';

  it.each(['127.0.0.1', 'localhost', 'localhost:8080', 'LOCALHOST', '[::1]:1'])(
    'needs no key from this machine under the name %s',
    async (host) => {
      expect(await statusWithHost(path, host)).toBe(200);
    },
  );

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.5:80'])(
    'needs a key under the name %s',
    async (host) => {
      expect(await statusWithHost(path, host)).toBe(401);
      expect(await statusWithHost(path, host, { authorization: `Bearer ${userKey}` })).toBe(200);
    },
  );

  it('needs a key where the peer is not known', async () => {
    await expectError(
      await buildApp().app.request(path, { headers: { host: 'localhost' } }),
      'missing_api_key',
    );
  });
});

describe('while it cannot serve', () => {
  it('/readyz says why, /health only that, and /healthz stays well', async () => {
    service.health.error = new AppError('not_ready', 'Not ready: the database cannot be written.');
    const [ready, brief] = await Promise.all([
      fetch(`${service.origin}/readyz`),
      fetch(`${service.origin}/health`),
    ]);
    service.health.error = undefined;
    await expectError(ready, 'not_ready');
    expect(await expectError(brief, 'not_ready')).not.toContain('database');
    expect(ready.headers.get('retry-after')).toBe('1');
    expect((await fetch(`${service.origin}/healthz`)).status).toBe(200);
  });

  it.each([
    ['POST', '/v1/chat/completions', hello],
    ['POST', '/v1/messages', { ...hello, max_tokens: 9 }],
    ['POST', '/v1/responses', { model: 'tiny', input: 'Hi' }],
    ['POST', '/v1/embeddings', { model: 'vectors', input: 'Hi' }],
    ['POST', '/v1/rerank', { model: 'judge', query: 'Hi', documents: ['Ho'] }],
    ['POST', '/api/chat', hello],
    ['POST', '/v1/batches', {}],
    ['POST', '/v1/messages/batches', {}],
    ['DELETE', '/v1/files/file-1', undefined],
    ['DELETE', '/v1/responses/resp_1', undefined],
    ['POST', '/page/session', { code: 'x' }],
    ['POST', '/admin/v1/keys', {}],
    ['PATCH', '/admin/v1/accounts/a', {}],
  ])(
    '%s %s waits until the database can be written, and is refused when it cannot',
    async (method, path, body) => {
      service.health.unwritable = new AppError('storage_unavailable', 'Another program locks it.');
      const key = path.startsWith('/admin') ? adminKey : userKey;
      const [, init] = chatRequest(body ?? {}, { method, headers: { authorization: `Bearer ${key}` } });
      if (body === undefined) delete init.body;
      const refused = await fetch(service.origin + path, init);
      const read = await fetch(`${service.origin}/v1/models`, {
        headers: { authorization: `Bearer ${userKey}` },
      });
      service.health.unwritable = undefined;
      expect(refused.status).toBe(503);
      expect(await refused.text()).toContain('Another program locks it.');
      expect(read.status).toBe(200);
      expect(service.engine.calls).toEqual([]);
    },
  );

  it('refuses new requests while draining, after the key and before any work', async () => {
    service.health.isDraining = true;
    const [path, init] = chatRequest(hello);
    const known = await fetch(service.origin + path, init);
    const unknown = await fetch(service.origin + path, { ...init, headers: {} });
    const ready = await fetch(`${service.origin}/readyz`);
    const alive = await fetch(`${service.origin}/healthz`);
    service.health.isDraining = false;
    await expectError(known, 'server_shutting_down');
    expect(known.headers.get('connection')).toBe('close');
    await expectError(unknown, 'missing_api_key');
    await expectError(ready, 'server_shutting_down');
    expect(alive.status).toBe(200);
    expect(service.engine.calls).toEqual([]);
  });
});
