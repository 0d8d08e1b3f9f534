import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/errors.ts';
import type { Settlement } from '../../../src/limits/types.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { chatRequest, hello, listen, userKey } from '../../support/fakes/http-service.ts';
import type { Service } from '../../support/fakes/http-service.ts';
import type { Script } from '../../support/fakes/fake-engine.ts';

let service: Service;
beforeEach(async () => {
  service = await listen();
});
afterEach(() => service.close());

const ask = async (extra: object = {}): Promise<Response> => {
  const [path, init] = chatRequest({ ...hello, ...extra });
  const response = await fetch(service.origin + path, init);
  await response.clone().text();
  return response;
};

const overloaded = new AppError('server_overloaded', 'The queue is full.');
const tooLong = new AppError('context_length_exceeded', 'The prompt is too long.', { param: 'messages' });
const texts = [{ text: 'a' }, { text: 'b' }];

interface Ending {
  readonly name: string;
  readonly script: Script;
  readonly whole: Partial<Settlement>;
  readonly streamed: Partial<Settlement>;
}

const charged = { promptTokens: 7, completionTokens: 2 };
const computed = { promptTokens: 7, completionTokens: 0 };
const nothing = { promptTokens: 0, cachedTokens: 0, completionTokens: 0 };

const endings: readonly Ending[] = [
  {
    name: 'finished',
    script: { steps: texts },
    whole: {
      status: 200,
      refundRequest: false,
      ...charged,
      timeToFirstTokenMs: expect.any(Number) as number,
    },
    streamed: {
      status: 200,
      refundRequest: false,
      ...charged,
      timeToFirstTokenMs: expect.any(Number) as number,
    },
  },
  {
    name: 'refused by the engine',
    script: { before: [{ fail: tooLong }], steps: [] },
    whole: { status: 400, refundRequest: true, ...nothing, timeToFirstTokenMs: null },
    streamed: { status: 400, refundRequest: true, ...nothing, timeToFirstTokenMs: null },
  },
  {
    name: 'failed before it started',
    script: { before: [{ waitMs: 5 }, { fail: overloaded }], steps: [] },
    whole: { status: 503, refundRequest: true, timeToFirstTokenMs: null },
    streamed: { status: 503, refundRequest: true, timeToFirstTokenMs: null },
  },
  {
    name: 'failed before its first text',
    script: { steps: [{ waitMs: 5 }, { fail: new Error('boom') }] },
    whole: { status: 500, refundRequest: true, ...computed },
    // The stream had begun: the client's status is 200, but it got no output.
    streamed: { status: 200, refundRequest: true, ...computed },
  },
  {
    name: 'failed at once',
    script: { steps: [{ fail: new Error('boom') }] },
    whole: { status: 500, refundRequest: true },
    streamed: { status: 200, refundRequest: true },
  },
  {
    name: 'failed after output',
    script: { steps: [...texts, { waitMs: 5 }, { fail: new Error('boom') }] },
    whole: { status: 500, refundRequest: true, ...charged },
    streamed: { status: 200, errorStatus: 500, refundRequest: false, ...charged },
  },
];

describe('a request that', () => {
  it('tells in an answer of one piece what is left after it, and in a stream what was left before', async () => {
    const left = async (stream: boolean) => {
      const response = await service.app.request(...chatRequest({ ...hello, stream }));
      await response.text();
      return response.headers.get('x-ratelimit-remaining-input-tokens');
    };
    expect(await left(false)).toBe('41');
    expect(await left(true)).toBeNull();
  });

  it.each(endings)('$name is settled once', async ({ script, whole, streamed }) => {
    service.engine.script = script;
    await ask();
    expect(service.limiter.settlements).toMatchObject([whole]);
    await ask({ stream: true });
    expect(service.limiter.settlements).toMatchObject([whole, streamed]);
  });
});

describe('admission', () => {
  it('names the key, the canonical model, the route and what it is measured on', async () => {
    await ask({ model: 'gpt-4o-mini' });
    expect(service.limiter.admitted).toMatchObject([
      {
        principal: expect.objectContaining({ keyId: 'key-of-yz12' }),
        modelId: 'tiny',
        measures: ['requests', 'inputTokens', 'outputTokens'],
        route: '/v1/chat/completions',
      },
    ]);
  });

  it('comes after every other check, so that a bad request costs nothing', async () => {
    for (const extra of [{ n: 2 }, { model: 'nope' }, { max_tokens: 1, min_tokens: 2 }, { tools: [{}] }])
      await ask(extra);
    expect(service.limiter.admitted).toEqual([]);
  });

  it.each([false, true])(
    'is refused with the specified 429 before any model is asked (stream: %s)',
    async (stream) => {
      service.limiter.refuse = new AppError('rate_limit_exceeded', 'No requests are left. Wait 7 seconds.', {
        retryAfterSeconds: 7,
        headers: { 'x-ratelimit-remaining-requests': '0' },
      });
      const response = await ask({ stream });
      await expectError(response, 'rate_limit_exceeded', null);
      expect(response.headers.get('retry-after')).toBe('7');
      expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('0');
      expect(service.engine.calls).toEqual([]);
      expect(service.limiter.settlements).toEqual([]);
    },
  );

  it('that is refused is tried again by the openai client, by Retry-After', async () => {
    service.limiter.refuse = new AppError('rate_limit_exceeded', 'Wait 1 second.', { retryAfterSeconds: 1 });
    const patient = service.client.withOptions({ maxRetries: 2 });
    const answer = patient.chat.completions.create({ ...hello });
    setTimeout(() => {
      service.limiter.refuse = undefined;
    }, 200);
    const startedAtMs = performance.now();
    expect((await answer).choices[0]?.message.content).toBe('Hello there');
    expect(performance.now() - startedAtMs).toBeGreaterThan(900);
  });
});

it('the charge is made before the client has its answer', async () => {
  await ask();
  expect(service.limiter.settlements).toHaveLength(1);
  const [path, init] = chatRequest({ ...hello, stream: true });
  const response = await fetch(service.origin + path, init);
  for await (const bytes of response.body ?? []) {
    if (new TextDecoder().decode(bytes).includes('[DONE]')) break;
  }
  expect(service.limiter.settlements).toHaveLength(2);
});

it('a charge that cannot be written is logged, and the answer is given', async () => {
  service.limiter.failToSettle = new Error('disk full');
  expect((await ask()).status).toBe(200);
  expect(service.logLines.join('')).toContain('disk full');
});

it('the access log has who, what and how much, and no word of the conversation', async () => {
  await ask({ messages: [{ role: 'user', content: 'my diary' }], stream: true });
  await expect.poll(() => service.logLines.length).toBe(1);
  expect(JSON.parse(service.logLines[0] ?? '')).toMatchObject({
    method: 'POST',
    path: '/v1/chat/completions',
    status: 200,
    keyId: 'key-of-yz12',
    model: 'tiny',
    promptTokens: 7,
    completionTokens: 2,
    durationMs: expect.any(Number),
  });
  expect(service.logLines[0]).not.toMatch(/diary|Hello|there/);
  expect(service.logLines[0]).not.toContain(userKey);
});
