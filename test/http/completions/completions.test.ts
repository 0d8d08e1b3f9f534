import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/errors.ts';
import type { GenerationRequest } from '../../../src/engine/types.ts';
import type { PromptTokenLogprob } from '../../../src/engine/generation/generation.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import type { Script } from '../../support/fakes/fake-engine.ts';
import { jsonRequest, listen } from '../../support/fakes/http-service.ts';
import type { Service } from '../../support/fakes/http-service.ts';
import { toChunks } from '../../support/wire/wire-events.ts';

let service: Service;
beforeEach(async () => {
  service = await listen();
});
afterEach(() => service.close());

const ask = async (extra: object = {}, init: RequestInit = {}): Promise<Response> => {
  const body = { model: 'tiny', prompt: 'Once', ...extra };
  const [path, request] = jsonRequest('/v1/completions', body, init);
  return fetch(service.origin + path, request);
};
const choicesOf = async (response: Response) =>
  ((await response.json()) as { choices: { text: string; logprobs: unknown }[] }).choices;

/** Repeats each prompt. */
const parrot = ({ prompt }: GenerationRequest): Script => {
  const text = prompt.kind === 'text' ? prompt.text : JSON.stringify(prompt);
  return { steps: [{ text: `${text}:` }, { text: ' done' }], promptTokens: 3 };
};

describe('a completion', () => {
  it('has every specified field and nothing else', async () => {
    const response = await ask({ model: 'gpt-4o-mini' });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('59');
    expect(await response.json()).toEqual({
      id: expect.stringMatching(/^cmpl-[\w-]{24}$/),
      object: 'text_completion',
      created: 1_795_000_000,
      model: 'gpt-4o-mini',
      system_fingerprint: expect.stringMatching(/^fp_/),
      choices: [{ text: 'Hello there', index: 0, logprobs: null, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 7,
        completion_tokens: 2,
        total_tokens: 9,
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    });
  });

  it('is asked of the engine with the defaults of the interface', async () => {
    await ask();
    expect(service.engine.lastCall.request).toMatchObject({
      modelId: 'tiny',
      accountId: 'account-1',
      keyId: 'key-of-yz12',
      prompt: { kind: 'text', text: 'Once' },
      sampling: { temperature: 1, topP: 1, topK: 40, minP: 0.05, seed: undefined, repeatPenalty: 1 },
      stop: [],
      maxTokens: 16,
      minTokens: 0,
      ignoreEos: false,
      topLogprobs: undefined,
      echo: false,
    });
  });

  it.each([
    [{ top_p: 0 }, { sampling: { topP: 1 } }],
    [{ top_p: 0.3 }, { sampling: { topP: 0.3 } }],
    [{ max_tokens: 0 }, { maxTokens: 0 }],
    [
      { max_tokens: 40, min_tokens: 20 },
      { maxTokens: 40, minTokens: 20 },
    ],
    [{ stop: 'x' }, { stop: ['x'] }],
    [{ stop: ['x', 'y'] }, { stop: ['x', 'y'] }],
    [{ logprobs: 0 }, { topLogprobs: 0 }],
    [
      { echo: true, logprobs: 5 },
      { echo: true, topLogprobs: 5 },
    ],
    [{ suffix: '' }, { prompt: { kind: 'text', text: 'Once' } }],
    [{ suffix: ' end' }, { prompt: { kind: 'text', text: 'Once', suffix: ' end' } }],
    [{ prompt: [1, 2] }, { prompt: { kind: 'tokens', tokens: [1, 2] } }],
    [{ prompt: [[1, 2]], suffix: 'x' }, { prompt: { kind: 'tokens', tokens: [1, 2], suffix: 'x' } }],
    [{ prompt: '\ud800' }, { prompt: { kind: 'text', text: '\ufffd' } }],
    [
      { ignore_eos: true, seed: 3 },
      { ignoreEos: true, sampling: { seed: 3 } },
    ],
    [
      { presence_penalty: 1, frequency_penalty: -1 },
      { sampling: { presencePenalty: 1, frequencyPenalty: -1 } },
    ],
    // Values that ask for nothing.
    [
      { n: 1, best_of: 1, tools: [], tool_choice: 'auto', user: 'me', temperature: null },
      { sampling: { temperature: 1 } },
    ],
    [{ tools: [{ type: 'function' }], tool_choice: 'none' }, { maxTokens: 16 }],
  ])('takes %j', async (extra, expected) => {
    expect((await ask(extra)).status).toBe(200);
    expect(service.engine.lastCall.request).toMatchObject(expected);
  });

  it('repeats its prompt and tells what the model thought of it', async () => {
    const token = (
      text: string,
      logprob: number | null,
      others: [string, number][] = [],
    ): PromptTokenLogprob => ({
      token: text,
      logprob,
      bytes: [...Buffer.from(text)],
      topLogprobs: others.map(([other, value]) => ({
        token: other,
        logprob: value,
        bytes: [...Buffer.from(other)],
      })),
    });
    const control = { ...token('<s>', null), bytes: [] };
    service.engine.script = {
      prompt: { text: 'Ön ce', logprobs: [control, token(' Ön', -1, [['a', -0.5]]), token(' ce', -2)] },
      steps: [
        { text: '', logprobs: [{ token: '\ufffd', logprob: -3, bytes: [0xf0, 0x9f], topLogprobs: [] }] },
        {
          text: '\u{1f525}',
          logprobs: [
            {
              token: '\ufffd\ufffd',
              logprob: Number.NEGATIVE_INFINITY,
              bytes: [0x94, 0xa5],
              topLogprobs: [],
            },
          ],
        },
        { text: '__proto__', logprobs: [{ ...token('__proto__', -1), logprob: -1 }] },
      ],
    };
    const [choice] = await choicesOf(await ask({ prompt: 'Ön ce', echo: true, logprobs: 1 }));
    expect(choice?.text).toBe('Ön ce\u{1f525}__proto__');
    expect(choice?.logprobs).toEqual({
      tokens: ['<s>', ' Ön', ' ce', 'bytes:\\xf0\\x9f', 'bytes:\\x94\\xa5', '__proto__'],
      token_logprobs: [null, -1, -2, -3, -9999, -1],
      top_logprobs: [
        null,
        { a: -0.5, ' Ön': -1 },
        { ' ce': -2 },
        { 'bytes:\\xf0\\x9f': -3 },
        { 'bytes:\\x94\\xa5': -9999 },
        // Written so, this is the object's prototype.
        JSON.parse('{"__proto__":-1}'),
      ],
      text_offset: [0, 0, 2, 5, 5, 6],
    });
  });
});

describe('several prompts', () => {
  beforeEach(() => {
    service.engine.script = parrot;
  });

  it('have a choice each and one charge', async () => {
    const response = await ask({ prompt: ['a', [1, 2], 'c'] });
    const answer = (await response.json()) as { choices: unknown; usage: unknown };
    expect(answer.choices).toMatchObject([
      { index: 0, text: 'a: done', finish_reason: 'stop' },
      { index: 1, text: '{"kind":"tokens","tokens":[1,2]}: done' },
      { index: 2, text: 'c: done' },
    ]);
    expect(answer.usage).toMatchObject({ prompt_tokens: 9, completion_tokens: 6, total_tokens: 15 });
    expect(service.limiter.admitted).toMatchObject([
      { modelId: 'tiny', route: '/v1/completions', measures: ['requests', 'inputTokens', 'outputTokens'] },
    ]);
    expect(service.limiter.settlements).toMatchObject([
      { status: 200, promptTokens: 9, completionTokens: 6, refundRequest: false },
    ]);
  });

  it('stream what has been computed by then in every chunk, when asked', async () => {
    const stream_options = { continuous_usage_stats: true };
    const text = await (await ask({ prompt: ['a', 'b'], stream: true, stream_options })).text();
    const counts = (toChunks(text) as unknown as { usage: { completion_tokens: number } }[]).map(
      ({ usage }) => usage.completion_tokens,
    );
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts[0]).toBeLessThan(4);
    expect(counts.at(-1)).toBe(4);
  });

  it('stream as they come, each to its own finish', async () => {
    const text = await (
      await ask({ prompt: ['a', 'b'], stream: true, stream_options: { include_usage: true } })
    ).text();
    const chunks = toChunks(text) as unknown as {
      choices: { index: number; text: string; finish_reason: string | null }[];
      usage: unknown;
    }[];
    expect(chunks.pop()).toMatchObject({ choices: [], usage: { prompt_tokens: 6, completion_tokens: 4 } });
    for (const index of [0, 1]) {
      const own = chunks.flatMap(({ choices }) => choices).filter((choice) => choice.index === index);
      expect(own.map((choice) => [choice.text, choice.finish_reason])).toEqual([
        [`${index === 0 ? 'a' : 'b'}:`, null],
        [' done', null],
        ['', 'stop'],
      ]);
    }
    expect(service.limiter.settlements).toMatchObject([
      { status: 200, promptTokens: 6, completionTokens: 4 },
    ]);
  });

  it.each([false, true])('all end when one cannot be served (stream: %s)', async (stream) => {
    const tooLong = new AppError('context_length_exceeded', 'Too long.', { param: 'prompt' });
    service.engine.script = ({ prompt }) =>
      prompt.kind === 'text' && prompt.text === 'long'
        ? { before: [{ waitMs: 30 }, { fail: tooLong }], steps: [] }
        : { steps: [{ text: 'a' }, { waitMs: 20_000 }] };
    await expectError(
      await ask({ prompt: ['a', 'b', 'long'], stream }),
      'context_length_exceeded',
      'prompt[2]',
    );
    const ends = await Promise.all(service.engine.calls.map(({ end }) => end));
    expect(ends.map(({ outcome }) => outcome)).toEqual(['aborted', 'aborted', 'failed']);
    expect(service.limiter.settlements).toMatchObject([
      { status: 400, promptTokens: 0, completionTokens: 0, refundRequest: true },
    ]);
  });

  it('all end when one fails, which a stream tells by its last event', async () => {
    service.engine.script = ({ prompt }) => ({
      steps: [
        { text: 'a' },
        ...(prompt.kind === 'text' && prompt.text === 'bad'
          ? [{ waitMs: 30 }, { fail: new AppError('engine_error', 'The model failed.') }]
          : [{ waitMs: 20_000 }]),
      ],
    });
    const text = await (await ask({ prompt: ['a', 'bad'], stream: true })).text();
    expect(text).toContain('event: error\ndata: {"error":{"message":"The model failed."');
    expect(text).not.toContain('[DONE]');
    await expectError(await ask({ prompt: ['a', 'bad'] }), 'engine_error', null);
    expect(service.limiter.settlements).toMatchObject([
      { status: 200, refundRequest: false, completionTokens: 2 },
      { status: 500, refundRequest: true, completionTokens: 2 },
    ]);
  });

  it.each([false, true])('all end when the client leaves (stream: %s)', async (stream) => {
    service.engine.script = { steps: [{ text: 'a' }, { waitMs: 20_000 }] };
    const leaver = new AbortController();
    const asked = ask({ prompt: ['a', 'b', 'c'], stream }, { signal: leaver.signal }).then((response) =>
      response.text(),
    );
    await expect.poll(() => service.engine.calls.length).toBe(3);
    leaver.abort();
    await expect(asked).rejects.toThrow(/abort/);
    const ends = await Promise.all(service.engine.calls.map(({ end }) => end));
    expect(ends.map(({ outcome }) => outcome)).toEqual(['aborted', 'aborted', 'aborted']);
    await expect.poll(() => service.limiter.settlements.length).toBe(1);
    expect(service.limiter.lastSettlement).toMatchObject({ promptTokens: 21, refundRequest: false });
  });

  it('are read by the openai client', async () => {
    const stream = await service.client.completions.create({
      model: 'tiny',
      prompt: ['a', 'b'],
      stream: true,
    });
    const texts = ['', ''];
    for await (const { choices } of stream)
      for (const { index, text } of choices) texts[index] = (texts[index] ?? '') + text;
    expect(texts).toEqual(['a: done', 'b: done']);
  });
});
