import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../../support/wire/error-envelope.ts';
import { listen, userKey } from '../../support/fakes/http-service.ts';
import type { Service } from '../../support/fakes/http-service.ts';

let service: Service;
beforeAll(async () => {
  service = await listen();
});
afterAll(() => service.close());

const bodies = {
  '/v1/chat/completions': { model: 'tiny', messages: [{ role: 'user', content: 'Hi' }] },
  '/v1/completions': { model: 'tiny', prompt: 'Hi' },
};

describe.each(Object.entries(bodies))('keep_alive of %s', (path, body) => {
  const send = (keepAlive: unknown) =>
    fetch(service.origin + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${userKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, keep_alive: keepAlive }),
    });

  it.each([
    ['5m', 300_000],
    ['-1', Number.POSITIVE_INFINITY],
    [90, 90_000],
    [0, 0],
    [-1, Number.POSITIVE_INFINITY],
    [null, undefined],
  ])('may be %j', async (keepAlive, keepAliveMs) => {
    expect((await send(keepAlive)).status).toBe(200);
    expect(service.engine.lastCall.request.keepAliveMs).toBe(keepAliveMs);
  });

  it.each([
    ['5 parsecs', 'invalid_value'],
    ['5', 'invalid_value'],
    ['', 'invalid_value'],
    [-2, 'invalid_value'],
    [1e300, 'invalid_value'],
    [true, 'invalid_type'],
  ] as const)('must not be %j', async (keepAlive, code) => {
    await expectError(await send(keepAlive), code, 'keep_alive');
  });
});
