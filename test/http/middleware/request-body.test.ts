import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../../support/wire/error-envelope.ts';
import { chatRequest, hello, listen, userKey } from '../../support/fakes/http-service.ts';
import type { Service } from '../../support/fakes/http-service.ts';

const limitBytes = 64 * 1024;

let service: Service;
beforeAll(async () => {
  service = await listen({ jsonBodyLimitBytes: limitBytes });
});
afterAll(() => service.close());

const post = (body: NonNullable<RequestInit['body']>, init: RequestInit = {}): Promise<Response> => {
  const [path, request] = chatRequest('', init);
  return fetch(service.origin + path, { ...request, body, duplex: 'half' });
};

/** A body of unknown length, in pieces. */
const chunked = (text: string): ReadableStream =>
  ReadableStream.from(text.match(/[^]{1,1000}/g) ?? []).pipeThrough(new TextEncoderStream());

const bodyOf = (bytes: number): string => JSON.stringify(hello).padEnd(bytes, ' ');

describe('the size of a body', () => {
  it.each([
    { name: 'announced', send: (bytes: number) => post(bodyOf(bytes)) },
    { name: 'unannounced', send: (bytes: number) => post(chunked(bodyOf(bytes))) },
  ])('may reach the limit and no more when $name', async ({ send }) => {
    expect((await send(limitBytes)).status).toBe(200);
    const message = await expectError(await send(limitBytes + 1), 'request_too_large', null);
    expect(message).toContain(String(limitBytes));
    await expectError(await send(limitBytes * 20), 'request_too_large', null);
  });

  it('is refused by its announcement, before a byte of it came', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const socket = connect(service.port, '127.0.0.1', () => {
      socket.write(
        `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${userKey}\r\n` +
          'content-type: application/json\r\ncontent-length: 9999999999\r\n\r\n',
      );
    }).once('data', (data) => resolve(data.toString()));
    expect(await promise).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });
});

describe('the type of a body', () => {
  it.each(['application/json', 'Application/JSON; charset=utf-8', 'application/vnd.api+json'])(
    'may be %s',
    async (type) => {
      expect((await post(bodyOf(100), { headers: { 'content-type': type } })).status).toBe(200);
    },
  );

  it.each(['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', 'json'])(
    'may not be %s',
    async (type) => {
      await expectError(
        await post(bodyOf(100), { headers: { 'content-type': type } }),
        'unsupported_media_type',
      );
    },
  );

  it('may not be compressed', async () => {
    const response = await post(bodyOf(100), { headers: { 'content-encoding': 'gzip' } });
    await expectError(response, 'unsupported_media_type');
  });
});

describe('the JSON of a body', () => {
  it.each([
    ['nothing', ''],
    ['half an object', '{"model": "tiny"'],
    ['a stray comma', '{"model": "tiny",}'],
    ['words', 'hello'],
    ['a secret that is not JSON', '{"model": my-secret-diary}'],
  ])('may not be %s', async (_name, body) => {
    const message = await expectError(await post(body), 'invalid_json', null);
    expect(message).not.toContain('diary');
  });

  it.each(['[]', '"text"', '5', 'null', 'true'])('may not be %s', async (body) => {
    await expectError(await post(body), 'invalid_type', null);
  });

  it('may not be broken UTF-8', async () => {
    const bytes = Buffer.from(JSON.stringify(hello).replace('Hi', '\u00ff'), 'latin1');
    await expectError(await post(bytes), 'invalid_json', null);
  });

  it('may be nested deeply where it is ignored', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const body = JSON.stringify({ ...hello, metadata: 0 }).replace('"metadata":0', `"metadata":${deep}`);
    expect((await post(body)).status).toBe(200);
  });

  it('cannot reach a prototype', async () => {
    const body = `{"__proto__": {"temperature": 9}, ${JSON.stringify(hello).slice(1)}`;
    const response = await post(body);
    expect(response.status).toBe(200);
    expect(service.engine.lastCall.request.sampling.temperature).toBe(1);
    expect(response.headers.get('x-ignored-parameters')).toBe('__proto__');
  });
});

it.each([
  ['a request line that is none', 'HELLO\r\n\r\n', /^HTTP\/1\.1 400 /],
  ['an impossible host', 'GET /v1/models HTTP/1.1\r\nhost: a b\r\n\r\n', /^HTTP\/1\.1 400 /],
  ['endless headers', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, /^HTTP\/1\.1 431 /],
])('%s gets the envelope too', async (_name, request, status) => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(service.port, '127.0.0.1', () => socket.write(request)).once('data', (data) =>
    resolve(data.toString()),
  );
  const answer = await promise;
  socket.destroy();
  expect(answer).toMatch(status);
  expect(answer).toContain('"code":"invalid_value"');
  expect(answer).toMatch(/^x-request-id: req_/im);
});
