import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { batchWhen, chatLine, createBatch, toJsonl } from '../../support/server/batches.ts';
import { completeChat, openClient, postChat, toErrorAnswer } from '../../support/server/chat-client.ts';
import { useLimitedServer } from '../../support/server/limits-fixture.ts';
import type { TestKey } from '../../support/server/limits-fixture.ts';

const limited = useLimitedServer({
  // A request comes back every three seconds: not before its answer is here.
  hourly: { limits: { requests: { minute: 20, hour: 1000 }, outputTokens: { hour: 3600 } } },
  slow: { limits: { outputTokens: { minute: 60 } } },
  cheap: { limits: { outputTokens: { '30d': 1000 } }, batch: { factor: 0.5 } },
});

interface Limits {
  readonly data: readonly { readonly model: string; readonly measure: string; readonly remaining: number }[];
}

const patience = { timeout: 20_000 };

const ask = (key: TestKey, extra: object = {}): Promise<Response> =>
  postChat({ ...limited().server, apiKey: key.secret }, body(extra));
const body = (extra: object): object => ({
  model: 'tiny',
  messages: [{ role: 'user', content: 'Hi' }],
  max_tokens: 3,
  ignore_eos: true,
  ...extra,
});

describe('a key without allowance', () => {
  it.each([false, true])(
    'gets the specified 429 before any model is touched (stream: %s)',
    async (stream) => {
      const { server, createKey, spend } = limited();
      const key = createKey(`spent ${stream}`, 'hourly');
      spend(key, { completionTokens: 3600 + 5 });
      const answer = await toErrorAnswer(await ask(key, { stream }));
      expect(answer.status).toBe(429);
      const retryAfter = answer.headers.get('retry-after') ?? '';
      // Five tokens of debt and one that must be there: a token comes back every second.
      expect(retryAfter).toMatch(/^[456]$/);
      expect(answer.error).toEqual({
        message: `Rate limit reached. Try again in ${retryAfter} seconds: this key has no allowance left for the model "tiny" (output tokens per hour).`,
        type: 'rate_limit_error',
        param: null,
        code: 'rate_limit_exceeded',
      });
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'application/json',
        'x-ratelimit-limit-requests': '20',
        'x-ratelimit-remaining-requests': '19',
        'x-ratelimit-limit-output-tokens': '3600',
        'x-ratelimit-remaining-output-tokens': '0',
        'x-ratelimit-reset-output-tokens': expect.stringMatching(/^1h0m[456]s$/) as string,
      });
      expect(server.stderr()).not.toMatch(/model loaded|llama\.cpp/);
      const headers = { authorization: `Bearer ${key.secret}` };
      const model = await fetch(`${server.baseUrl}/models/tiny`, { headers });
      expect(await model.json()).toMatchObject({ state: 'available' });
    },
  );

  it('is served by the openai client without any configuration: it waits for Retry-After', async () => {
    const { server, createKey, spend, requestsOf } = limited();
    const key = createKey('patient', 'slow');
    // So that the wait is for the allowance and not for the model.
    await (await ask(key)).text();
    spend(key, { completionTokens: 58 });
    const client = new OpenAI({ baseURL: server.baseUrl, apiKey: key.secret });
    const startedAtMs = performance.now();
    const completion = await completeChat(client, 'tiny', 'Hi', { max_tokens: 2 });
    const waitedMs = performance.now() - startedAtMs;
    expect(completion.usage?.completion_tokens).toBeLessThanOrEqual(2);
    expect(waitedMs).toBeGreaterThan(900);
    await expect.poll(() => requestsOf(key).map(({ status }) => status), patience).toEqual([200, 429, 200]);
  });
});

describe('what is charged', () => {
  it('shows in the headers of answers and streams', async () => {
    const key = limited().createKey('shown', 'hourly');
    const seen: Record<string, string>[] = [];
    for (const stream of [false, true, false]) {
      const response = await ask(key, { stream });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(stream ? /^text\/event-stream/ : /json/);
      await response.text();
      const limits = [...response.headers].filter(([name]) => name.startsWith('x-ratelimit-'));
      seen.push(Object.fromEntries(limits));
    }
    const remaining = (what: string) =>
      seen.map((headers) => Number(headers[`x-ratelimit-remaining-${what}`]));
    expect(seen.map((headers) => headers['x-ratelimit-limit-requests'])).toEqual(['20', '20', '20']);
    // Up to one token comes back between two requests.
    expect(remaining('requests')[0]).toBe(19);
    expect(remaining('requests')[2]).toBeLessThan(19);
    // An answer in one piece tells the rest after its own three tokens, a stream the rest when it began.
    expect(remaining('output-tokens')[0]).toBe(3597);
    expect(remaining('output-tokens')[1]).toBeGreaterThanOrEqual(3597);
    expect(remaining('output-tokens')[1]).toBeLessThanOrEqual(3598);
    expect(remaining('output-tokens')[2]).toBeLessThanOrEqual(3593);
    expect(remaining('tokens')).toEqual(remaining('output-tokens'));
    expect(seen[1]?.['x-ratelimit-reset-output-tokens']).toMatch(/^[23]s$/);
  });

  it('is what was computed when the client leaves a stream', async () => {
    const { createKey, requestsOf, usageOf } = limited();
    const key = createKey('leaver', 'hourly');
    const leaver = new AbortController();
    const response = await postChat(
      { ...limited().server, apiKey: key.secret },
      body({ stream: true, max_tokens: 1500 }),
      { signal: leaver.signal },
    );
    const reader = response.body?.getReader();
    for (let reads = 0; reads < 5; reads += 1) await reader?.read();
    leaver.abort();
    await expect.poll(() => requestsOf(key), patience).toHaveLength(1);
    const usage = await usageOf('leaver');
    expect(usage).toMatchObject({ requests: 1, refunded: 0 });
    expect(usage?.promptTokens).toBeGreaterThan(0);
    expect(usage?.completionTokens).toBeGreaterThan(0);
    expect(usage?.completionTokens).toBeLessThan(1500);
    // The next request finds that much less.
    const next = await ask(key, { stream: true });
    await next.text();
    const left = Number(next.headers.get('x-ratelimit-remaining-output-tokens'));
    expect(3600 - left).toBeLessThanOrEqual(usage?.completionTokens ?? 0);
    expect(3600 - left).toBeGreaterThan((usage?.completionTokens ?? 0) - 30);
  });

  it('is nothing for a request that is refused', async () => {
    const { createKey, usageOf, server } = limited();
    const key = createKey('mistaken', 'hourly');
    expect((await ask(key, { temperature: 9 })).status).toBe(400);
    expect((await ask(key, { model: 'tinny' })).status).toBe(404);
    expect(await usageOf('mistaken')).toBeUndefined();
    // Only the engine can tell that a prompt is too long: by then the request was paid, and is given back.
    const tooLong = { messages: [{ role: 'user', content: 'far too long '.repeat(4000) }] };
    const answer = await toErrorAnswer(await ask(key, tooLong));
    expect(answer.error.code).toBe('context_length_exceeded');
    const given = { requests: 1, refunded: 1, promptTokens: 0, completionTokens: 0 };
    expect(await usageOf('mistaken')).toMatchObject(given);
    const client = openClient({ ...server, apiKey: key.secret });
    const { response } = await client.chat.completions
      .create({ model: 'tiny', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 })
      .withResponse();
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('19');
  });

  it('is a share of the tokens of batches where the plan says so', async () => {
    const { server, createKey, usageOf } = limited();
    const key = createKey('patient batches', 'cheap');
    const client = openClient({ ...server, apiKey: key.secret });
    const lines = [10, 30].map((tokens) => chatLine(`${tokens}`, 'tiny', 'Hi', { max_tokens: tokens }));
    const batch = await batchWhen(client, await createBatch(client, toJsonl(lines)));
    expect(batch.request_counts?.completed).toBe(2);
    const headers = { authorization: `Bearer ${key.secret}` };
    const { data } = (await (await fetch(`${server.baseUrl}/limits`, { headers })).json()) as Limits;
    const { remaining = 0 } =
      data.find(({ model, measure }) => model === 'tiny' && measure === 'output_tokens') ?? {};
    expect(Math.round(remaining)).toBe(1000 - (10 + 30) / 2);
    expect((await usageOf('patient batches'))?.completionTokens).toBe(40);
  });
});
