import { describe, expect, it } from 'vitest';
import { buildApp, chatRequest, hello, userKey } from '../../support/fakes/http-service.ts';

const { app } = buildApp({
  corsOrigins: ['http://localhost:*', 'http://127.0.0.1:*', 'https://app.example'],
});

const preflight = (origin: string, headers: Record<string, string> = {}) =>
  app.request('/v1/chat/completions', {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-stainless-os',
      ...headers,
    },
  });

const allowed = ['http://localhost:3000', 'http://localhost', 'http://127.0.0.1:5173', 'https://app.example'];
const foreign = [
  'https://localhost:3000',
  'http://localhost.evil.example',
  'http://localhost:3000.evil.example',
  'http://localhost:',
  'http://localhost:3000@evil.example',
  'https://app.example.evil',
  'https://sub.app.example',
  'https://app.example:8443',
  'null',
];

describe('a page of an allowed origin', () => {
  it.each(allowed)('%s may preflight without a key', async (origin) => {
    const response = await preflight(origin);
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
    expect(response.headers.get('access-control-allow-headers')).toBe(
      'authorization,content-type,x-stainless-os',
    );
    expect(response.headers.get('vary')).toContain('Origin');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('may read answers, errors and the headers that matter', async () => {
    const [path, init] = chatRequest(hello, { headers: { origin: 'http://localhost:3000' } });
    for (const request of [
      init,
      { ...init, headers: { origin: 'http://localhost:3000' } },
      { ...init, body: '{' },
    ]) {
      const response = await app.request(path, request);
      if (response.status !== 400) {
        expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
      }
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    }
    const exposed = (await app.request(path, init)).headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining([
        'x-request-id',
        'retry-after',
        'x-ratelimit-remaining-tokens',
        'x-ignored-parameters',
      ]),
    );
  });
});

describe('a page of another origin', () => {
  it.each(foreign)('%s gets no permission', async (origin) => {
    const response = await preflight(origin);
    expect(response.status).toBe(204);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    const [path, init] = chatRequest(hello, { headers: { origin } });
    expect((await app.request(path, init)).headers.get('access-control-allow-origin')).toBeNull();
  });
});

it('every origin may call where the operator says so', async () => {
  const open = buildApp({ corsOrigins: ['*'] }).app;
  const headers = { authorization: `Bearer ${userKey}`, origin: 'https://anywhere.example' };
  const response = await open.request('/v1/models', { headers });
  expect(response.headers.get('access-control-allow-origin')).toBe('https://anywhere.example');
});

it('a request without an origin varies by it all the same', async () => {
  expect((await app.request('/v1/models')).headers.get('vary')).toBe('Origin');
});
