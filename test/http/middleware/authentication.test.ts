import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../../support/wire/error-envelope.ts';
import { hello, limitedKey, listen, userKey } from '../../support/fakes/http-service.ts';
import type { Service } from '../../support/fakes/http-service.ts';

let service: Service;
beforeAll(async () => {
  service = await listen();
});
afterAll(() => service.close());

const stranger = 'hk-stranger-0123456789abcdefghijklmnopqrstuvw';

const refusals = [
  { name: 'no header', authorization: undefined, code: 'missing_api_key' },
  { name: 'another scheme', authorization: 'Basic dXNlcjpwYXNz', code: 'missing_api_key' },
  { name: 'a scheme without a key', authorization: 'Bearer', code: 'missing_api_key' },
  { name: 'only spaces after the scheme', authorization: 'Bearer   ', code: 'missing_api_key' },
  { name: 'an unknown key', authorization: `Bearer ${stranger}`, code: 'invalid_api_key' },
  { name: 'a key without its scheme', authorization: userKey, code: 'missing_api_key' },
  {
    name: 'a key with a prefix cut off',
    authorization: `Bearer ${userKey.slice(1)}`,
    code: 'invalid_api_key',
  },
  { name: 'the name of an object property', authorization: 'Bearer __proto__', code: 'invalid_api_key' },
  { name: 'an enormous key', authorization: `Bearer ${'x'.repeat(10_000)}`, code: 'invalid_api_key' },
] as const;

const routes = [
  { method: 'GET', path: '/v1/models' },
  { method: 'GET', path: '/v1/models/tiny' },
  { method: 'POST', path: '/v1/chat/completions' },
  { method: 'GET', path: '/v1/nothing/here' },
  { method: 'DELETE', path: '/v1/models' },
] as const;

describe.each(routes)('$method $path', ({ method, path }) => {
  it.each(refusals)('refuses $name', async ({ authorization, code }) => {
    const response = await fetch(service.origin + path, {
      method,
      headers: authorization === undefined ? {} : { authorization },
      ...(method === 'POST' ? { body: '{' } : {}),
    });
    const message = await expectError(response, code, null);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(message).not.toContain(authorization?.slice(7) || 'never');
    expect(service.engine.calls).toEqual([]);
  });
});

describe('a key in an error message', () => {
  const messageFor = async (secret: string): Promise<string> => {
    const response = await fetch(`${service.origin}/v1/models`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    return expectError(response, 'invalid_api_key');
  };

  it('shows its first 5 and last 4 characters', async () => {
    expect(await messageFor(stranger)).toContain('hk-st…tuvw');
  });

  it('shows nothing when it is short', async () => {
    expect(await messageFor('sesame-open')).not.toMatch(/sesam|open\b/);
  });

  it('shows no bytes that are not plain text', async () => {
    expect(await messageFor(`ÿÿÿÿÿ${'x'.repeat(30)}`)).toContain('?????…xxxx');
  });
});

describe('a valid key', () => {
  it.each(['Bearer', 'bearer', 'BEARER  '])('is accepted after %j', async (scheme) => {
    const response = await fetch(`${service.origin}/v1/models`, {
      headers: { authorization: `${scheme} ${userKey}` },
    });
    expect(response.status).toBe(200);
  });

  it('that is limited to some models sees and uses only those', async () => {
    const headers = { authorization: `Bearer ${limitedKey}`, 'content-type': 'application/json' };
    const list = (await (await fetch(`${service.origin}/v1/models`, { headers })).json()) as {
      data: { id: string }[];
    };
    expect(list.data.map(({ id }) => id)).toEqual(['org/slashed']);
    const get = await fetch(`${service.origin}/v1/models/tiny`, { headers });
    await expectError(get, 'insufficient_permissions', 'model');
    const chat = await fetch(`${service.origin}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify(hello),
    });
    await expectError(chat, 'insufficient_permissions', 'model');
    const nearest = await fetch(`${service.origin}/v1/models/tinny`, { headers });
    expect(await expectError(nearest, 'model_not_found')).not.toContain("'tiny'");
  });

  it('appears in no log line, and neither does an invalid one', async () => {
    await fetch(`${service.origin}/v1/models?key=${userKey}`, {
      headers: { authorization: `Bearer ${userKey}` },
    });
    await fetch(`${service.origin}/v1/models/${userKey}`, {
      headers: { authorization: `Bearer ${stranger}` },
    });
    const log = service.logLines.join('');
    expect(log).toContain('/v1/models');
    expect(log).not.toContain(userKey);
    expect(log).not.toContain(stranger);
  });
});
