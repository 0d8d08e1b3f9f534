import { describe, expect, it } from 'vitest';
import { openClient, toErrorAnswer } from '../../support/server/chat-client.ts';
import { useLimitedServer } from '../../support/server/limits-fixture.ts';
import type { TestKey } from '../../support/server/limits-fixture.ts';

const limited = useLimitedServer({
  plain: {
    limits: { requests: { minute: 100 }, inputTokens: { hour: 100_000 }, outputTokens: { hour: 3600 } },
  },
});

const clientOf = (key: TestKey) => openClient({ ...limited().server, apiKey: key.secret });
const post = (key: TestKey, path: string, body: object, init: RequestInit = {}): Promise<Response> =>
  fetch(`${limited().server.baseUrl}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key.secret}` },
    body: JSON.stringify({ model: 'tiny', ...body }),
    ...init,
  });
/** The access log's line about the only request of `key`. */
async function lineOf(key: TestKey): Promise<Record<string, unknown>> {
  await expect.poll(() => limited().requestsOf(key).length).toBe(1);
  return limited().requestsOf(key)[0] ?? {};
}

describe('several prompts', () => {
  it.each([false, true])('are one request and all of their tokens (stream: %s)', async (stream) => {
    const key = limited().createKey(`completions ${stream}`, 'plain');
    const prompt = ['The fox', 'A fire that never went out', [70, 71, 72]];
    const options = { prompt, max_tokens: 5, ignore_eos: true };
    const { usage } = (await (await post(key, 'completions', options)).json()) as {
      usage: { prompt_tokens: number; completion_tokens: number };
    };
    expect(usage.completion_tokens).toBe(15);
    if (stream) await (await post(key, 'completions', { ...options, stream })).text();
    const times = stream ? 2 : 1;
    expect(await limited().usageOf(`completions ${stream}`)).toMatchObject({
      requests: times,
      promptTokens: times * usage.prompt_tokens,
      completionTokens: times * 15,
    });
    const next = await post(key, 'completions', { prompt: 'x', max_tokens: 0 });
    const left = Number(next.headers.get('x-ratelimit-remaining-output-tokens'));
    expect(left).toBeGreaterThanOrEqual(3600 - times * 15);
    // The limit refills by a token per second meanwhile.
    expect(left).toBeLessThan(3600 - times * 15 + 15);
  });

  it('that one bad one spoils are not computed and cost nothing', async () => {
    const key = limited().createKey('spoilt', 'plain');
    const tooLong = 'far too long '.repeat(20_000);
    const options = { prompt: [[70], tooLong, [100_000]], max_tokens: 2000, ignore_eos: true };
    const answer = await toErrorAnswer(await post(key, 'completions', options));
    expect(answer).toMatchObject({ status: 400, error: { param: 'prompt[2][0]' } });
    expect(await limited().usageOf('spoilt')).toMatchObject({
      refunded: 1,
      promptTokens: 0,
      completionTokens: 0,
    });
  });

  it('end at once when the client leaves, and cost what was computed', async () => {
    const key = limited().createKey('leaver', 'plain');
    const leaver = new AbortController();
    const prompt = Array.from({ length: 8 }, (_, index) => `Story ${index}`);
    const body = { prompt, max_tokens: 2000, ignore_eos: true, stream: true };
    const response = await post(key, 'completions', body, { signal: leaver.signal });
    await response.body?.getReader().read();
    leaver.abort();
    const line = await lineOf(key);
    expect(line).toMatchObject({ status: 200, clientLeft: true });
    expect(line['completionTokens']).toBeGreaterThan(0);
    expect(line['completionTokens']).toBeLessThan(8 * 1000);
    const { completionTokens } = (await limited().usageOf('leaver')) ?? {};
    expect(completionTokens).toBe(line['completionTokens']);
  });
});

describe('embeddings', () => {
  it('cost a request and input tokens, and take no output tokens', async () => {
    const { createKey, spend, usageOf } = limited();
    const key = createKey('embedder', 'plain');
    const { usage } = await clientOf(key).embeddings.create({ model: 'tiny', input: ['The fox', 'A fire'] });
    expect(usage.prompt_tokens).toBeGreaterThan(4);
    expect(await usageOf('embedder')).toMatchObject({
      requests: 1,
      promptTokens: usage.prompt_tokens,
      completionTokens: 0,
    });
    spend(key, { completionTokens: 4000 });
    const response = await post(key, 'embeddings', { input: 'The fox' });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-ratelimit-limit-input-tokens')).toBe('100000');
    expect(response.headers.get('x-ratelimit-limit-output-tokens')).toBeNull();
  });

  it('are refused without input tokens, before anything is computed', async () => {
    const { createKey, spend } = limited();
    const key = createKey('poor', 'plain');
    spend(key, { promptTokens: 200_000 });
    const answer = await toErrorAnswer(await post(key, 'embeddings', { input: 'The fox' }));
    expect(answer).toMatchObject({ status: 429, error: { code: 'rate_limit_exceeded', param: null } });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('of a client that leaves end at once, and cost what was computed', async () => {
    const key = limited().createKey('embedding leaver', 'plain');
    const leaver = new AbortController();
    const input = Array.from({ length: 2048 }, (_, index) => `${index} ${'the house by the sea '.repeat(8)}`);
    const asked = post(key, 'embeddings', { input }, { signal: leaver.signal });
    setTimeout(() => leaver.abort(), 500);
    await expect(asked).rejects.toThrow(/abort/i);
    const line = await lineOf(key);
    expect(line).toMatchObject({ status: 499, clientLeft: true, completionTokens: 0 });
    expect(line['promptTokens']).toBeLessThan(2048 * 40);
    const { promptTokens } = (await limited().usageOf('embedding leaver')) ?? {};
    expect(promptTokens).toBe(line['promptTokens']);
  });
});
