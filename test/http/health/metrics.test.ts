import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/errors.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { adminKey, buildApp, chatRequest, hello, listen, userKey } from '../../support/fakes/http-service.ts';
import type { Service } from '../../support/fakes/http-service.ts';

let service: Service;
beforeEach(async () => {
  service = await listen();
});
afterEach(() => service.close());

async function scrape(): Promise<string[]> {
  const response = await fetch(`${service.origin}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return (await response.text()).split('\n');
}

describe('who may see the metrics', () => {
  /** The status of a GET with `headers`, which fetch would not send. */
  async function statusFor(headers: Record<string, string>, path = '/metrics'): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    request({ port: service.port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
    return promise;
  }

  it('anyone on this machine, elsewhere an admin key', async () => {
    await scrape();
    const host = 'box.example';
    expect(await statusFor({ host })).toBe(401);
    expect(await statusFor({ host, authorization: `Bearer ${userKey}` })).toBe(403);
    expect(await statusFor({ host, authorization: `Bearer ${adminKey}` })).toBe(200);
  });

  it.each([
    'Forwarded',
    'Via',
    'CDN-Loop',
    'X-Forwarded-For',
    'X-Forwarded-Server',
    'X-Original-Forwarded-For',
    'X-Real-IP',
    'X-Client-IP',
    'X-Cluster-Client-IP',
    'X-Azure-ClientIP',
    'X-Envoy-External-Address',
    'True-Client-IP',
    'Fastly-Client-IP',
    'CF-Connecting-IPv6',
    'X-Amzn-Trace-Id',
  ])('nobody without a key behind a proxy on this machine that sends %s', async (name) => {
    for (const path of ['/metrics', '/readyz']) expect(await statusFor({ [name]: 'x' }, path)).toBe(401);
  });

  it('no page of another site, with an origin and without one', async () => {
    for (const path of ['/metrics', '/readyz']) {
      expect(await statusFor({ origin: 'https://evil.example' }, path)).toBe(401);
      expect(await statusFor({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, path)).toBe(
        401,
      );
      for (const site of ['none', 'same-origin'])
        expect(await statusFor({ 'sec-fetch-site': site, 'x-zip': '1' }, path)).toBe(200);
    }
  });

  it('nobody without a key where the peer is not known', async () => {
    const { app } = buildApp();
    await expectError(await app.request('/metrics', { headers: { host: 'localhost' } }), 'missing_api_key');
  });

  it('is a GET', async () => {
    await expectError(await fetch(`${service.origin}/metrics`, { method: 'POST' }), 'method_not_allowed');
  });
});

describe('what is counted', () => {
  it('requests by route, model and status, and no name that a client made up', async () => {
    await (await fetch(service.origin + chatRequest(hello)[0], chatRequest(hello)[1])).text();
    const [path, init] = chatRequest({ ...hello, model: 'gpt-4o-mini' });
    await (await fetch(service.origin + path, init)).text();
    const [, unknown] = chatRequest({ ...hello, model: 'made-up-by-a-client' });
    await (await fetch(service.origin + path, unknown)).text();
    await (await fetch(`${service.origin}/made/up/by/a/client`)).text();
    await (await fetch(`${service.origin}/v1/models/made-up-by-a-client`)).text();

    await expect
      .poll(scrape)
      .toContain('hearth_requests_total{route="/v1/models/{id}",model="",status="401"} 1');
    const lines = await scrape();
    for (const line of [
      'hearth_requests_total{route="/v1/chat/completions",model="tiny",status="200"} 2',
      'hearth_requests_total{route="/v1/chat/completions",model="",status="404"} 1',
      'hearth_requests_total{route="other",model="",status="404"} 1',
      'hearth_errors_total{code="model_not_found"} 1',
      // The one that asks.
      'hearth_requests_in_flight 1',
    ])
      expect(lines).toContain(line);
    expect(lines.join('\n')).not.toContain('made-up');
  });

  it('refused requests under their model', async () => {
    service.limiter.refuse = new AppError('rate_limit_exceeded', 'Later.', { retryAfterSeconds: 3 });
    const [path, init] = chatRequest(hello);
    await (await fetch(service.origin + path, init)).text();
    await expect
      .poll(scrape)
      .toContain('hearth_requests_total{route="/v1/chat/completions",model="tiny",status="429"} 1');
  });
});
