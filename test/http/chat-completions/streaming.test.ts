import type { CompletionUsage } from 'openai/resources';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/errors.ts';
import { chatRequest, hello, listen } from '../../support/fakes/http-service.ts';
import type { Service } from '../../support/fakes/http-service.ts';
import { toChunks } from '../../support/wire/wire-events.ts';

let service: Service;
beforeEach(async () => {
  service = await listen({ streamPingMs: 40 });
});
afterEach(() => service.close());

const stream = async (extra: object = {}): Promise<{ response: Response; text: string }> => {
  const [path, init] = chatRequest({ ...hello, stream: true, ...extra });
  const response = await fetch(service.origin + path, init);
  return { response, text: await response.text() };
};

describe('a stream', () => {
  it('is role, texts, finish and [DONE], all of one completion', async () => {
    const { response, text } = await stream();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('59');
    const chunks = toChunks(text);
    const same = {
      id: expect.stringMatching(/^chatcmpl-[\w-]{24}$/),
      object: 'chat.completion.chunk',
      created: 1_795_000_000,
      model: 'tiny',
      system_fingerprint: expect.stringMatching(/^fp_/),
    };
    const choice = (delta: object, finishReason: string | null = null) => ({
      ...same,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    });
    expect(chunks).toEqual([
      choice({ role: 'assistant', content: '' }),
      choice({ content: 'Hello' }),
      choice({ content: ' there' }),
      choice({}, 'stop'),
    ]);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  it('ends with usage when asked, and has null usage before', async () => {
    const chunks = toChunks((await stream({ stream_options: { include_usage: true } })).text);
    const last = chunks.pop();
    expect(last).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
    });
    expect(chunks.map(({ usage }) => usage)).toEqual([null, null, null, null]);
  });

  it('tells in every chunk what has been computed by then, when asked', async () => {
    const options = { include_usage: true, continuous_usage_stats: true };
    const chunks = toChunks((await stream({ stream_options: options })).text);
    const usages = chunks.map(({ usage }) => usage as CompletionUsage);
    const counts = usages.map((usage) => [usage.prompt_tokens, usage.completion_tokens]);
    // The role, two texts, the finish, and the usage of the whole.
    expect(counts).toEqual([[7, 0], [7, 1], [7, 2], [7, 2], [7, 2]]); // prettier-ignore
    expect(chunks.at(-1)?.choices).toEqual([]);
  });

  it('tells how far the prompt is, where it is asked to', async () => {
    service.engine.script = {
      queued: [{ progress: 2 }, { progress: 7 }],
      cachedTokens: 2,
      steps: [{ text: 'Hi' }],
    };
    const { response, text } = await stream({ return_progress: true });
    expect(service.engine.lastCall.request.tellsProgress).toBe(true);
    expect(response.headers.has('x-ignored-parameters')).toBe(false);
    const chunks = toChunks(text);
    expect(chunks.map(({ prompt_progress: told }) => told)).toEqual([
      undefined,
      { total: 7, cache: 2, processed: 2, time_ms: 2 },
      { total: 7, cache: 2, processed: 7, time_ms: 2 },
      undefined,
      undefined,
    ]);
    expect(chunks[1]?.choices[0]?.delta).toEqual({});
    const [path, init] = chatRequest({ ...hello, return_progress: true });
    const whole = await fetch(service.origin + path, init);
    expect(whole.headers.get('x-ignored-parameters')).toBe('return_progress');
    expect(service.engine.lastCall.request.tellsProgress).toBeUndefined();
  });

  it.each([false, null, undefined])('has no usage with include_usage: %s', async (includeUsage) => {
    expect((await stream({ stream_options: { include_usage: includeUsage } })).text).not.toContain('usage');
  });

  it('carries any text unharmed', async () => {
    const texts = [
      'line\nbreak\r\n\r\n',
      'data: [DONE]\n\n',
      '"quotes" \\ \u2028 \u0000',
      '日本語 🎉',
      '</script>',
    ];
    service.engine.script = { steps: texts.map((text) => ({ text })) };
    const received: string[] = [];
    const body = { ...hello, stream: true as const };
    for await (const chunk of await service.client.chat.completions.create(body)) {
      received.push(chunk.choices[0]?.delta.content ?? '');
    }
    expect(received).toEqual(['', ...texts, '']);
  });

  it('carries log-probabilities, also with a chunk that has no text yet', async () => {
    const token = { token: '\ufffd', logprob: -1, bytes: [0xf0], topLogprobs: [] };
    service.engine.script = {
      steps: [{ text: '', logprobs: [token] }, { text: '' }, { text: 'x', logprobs: [] }],
    };
    const chunks = toChunks((await stream({ logprobs: true })).text);
    const logprobs = chunks.map(({ choices }) => choices[0]?.logprobs);
    const { topLogprobs: _, ...wire } = token;
    expect(logprobs).toEqual([
      null,
      { content: [{ ...wire, top_logprobs: [] }], refusal: null },
      { content: [], refusal: null },
      null,
    ]);
  });

  it('comments each long silence', async () => {
    service.engine.script = { steps: [{ text: 'a' }, { waitMs: 600 }, { text: 'b' }] };
    const { text } = await stream();
    expect(text.match(/^: ping$/gm)?.length).toBeGreaterThanOrEqual(2);
    expect(toChunks(text)).toHaveLength(4);
  });

  it('shows each text when it comes, not at the end', async () => {
    service.engine.script = { steps: [{ text: 'first' }, { waitMs: 5_000 }, { text: 'second' }] };
    const [path, init] = chatRequest({ ...hello, stream: true });
    const startedAtMs = performance.now();
    const response = await fetch(service.origin + path, init);
    let seen = '';
    for await (const bytes of response.body ?? []) {
      seen += new TextDecoder().decode(bytes);
      if (seen.includes('first')) break;
    }
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
  });
});

describe('a failure after the first chunk', () => {
  it('is an error event and the end, without [DONE]', async () => {
    const error = new AppError('engine_error', 'The engine failed.', { cause: new Error('secret path') });
    service.engine.script = { steps: [{ text: 'a' }, { fail: error }] };
    const { response, text } = await stream();
    expect(response.status).toBe(200);
    expect(text.endsWith(
      'event: error\ndata: {"error":{"message":"The engine failed.","type":"server_error","param":null,"code":"engine_error"}}\n\n',
    )).toBe(true); // prettier-ignore
    expect(text).not.toContain('[DONE]');
    expect(text).not.toContain('secret');
    expect(service.logLines.join('')).toContain('secret path');
  });

  it('hides what is not public', async () => {
    service.engine.script = { steps: [{ text: 'a' }, { fail: new Error('secret path') }] };
    const { text } = await stream();
    expect(text).toContain('"code":"internal_error"');
    expect(text).not.toContain('secret');
  });

  it('is an error to the openai client', async () => {
    service.engine.script = { steps: [{ text: 'a' }, { fail: new Error('boom') }] };
    const body = { ...hello, stream: true as const };
    const chunks = await service.client.chat.completions.create(body);
    const readAll = async (): Promise<void> => {
      for await (const chunk of chunks) expect(chunk.object).toBe('chat.completion.chunk');
    };
    await expect(readAll()).rejects.toThrow(/failed to handle/);
  });
});
