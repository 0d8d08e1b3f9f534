import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openClient, postChat } from '../../support/server/chat-client.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { hearthCli } from '../../support/server/hearth-cli.ts';
import {
  beginStream,
  endStream,
  sendJson,
  startHostileUpstream,
  writeChunk,
  type Behaviour,
  type HostileUpstream,
} from '../../support/upstream/hostile-upstream.ts';
import { ledgerOf } from '../../support/watch/ledger.ts';
import type { RunningServer } from '../../support/server/start-server.ts';
import { startInFront, upstreamModel } from '../../support/upstream/upstream-fixture.ts';
import type { ErrorCode } from '../../../src/errors/errors.ts';

const apiKey = 'sk-the-key-of-the-upstream-0123456789';
const usage = { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 };
const words = ['Hello', ' there'];

/** A stream that begins well, and goes on with `then`. */
const begun =
  (then: Behaviour): Behaviour =>
  (response, request) => {
    beginStream(response);
    for (const content of words) writeChunk(response, { content });
    return then(response, request);
  };

/** Answers that never begin: each is one clear error with a status of its own. */
const refusals: Readonly<
  Record<string, { readonly behave: Behaviour; readonly code: ErrorCode; readonly param?: string }>
> = {
  'no-answer': { behave: () => undefined, code: 'model_unavailable' },
  'closes-at-once': { behave: (response) => void response.destroy(), code: 'model_unavailable' },
  'no-stream': {
    behave: (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    code: 'upstream_error',
  },
  'no-type': {
    behave: (response) => void response.writeHead(200).end('data: {}\n\n'),
    code: 'upstream_error',
  },
  'empty-stream': {
    behave: (response) => {
      beginStream(response);
      response.end();
    },
    code: 'upstream_error',
  },
  'not-json': {
    behave: (response) => {
      beginStream(response);
      response.end('data: {"choices":\n\n');
    },
    code: 'upstream_error',
  },
  'no-choices': {
    behave: (response) => {
      beginStream(response);
      response.end('data: {"object":"x"}\n\n');
    },
    code: 'upstream_error',
  },
  'error-in-200': {
    behave: (response) =>
      sendJson(response, 200, { error: { message: `no room on /srv/models/x for ${apiKey}` } }),
    code: 'upstream_error',
  },
  'error-in-stream': {
    behave: (response) => {
      beginStream(response);
      response.end('data: {"error":{"message":"boom","code":500}}\n\n');
    },
    code: 'upstream_error',
  },
  'long-line': {
    behave: (response) => {
      beginStream(response);
      response.end(`data: ${'x'.repeat(10_000_000)}\n\n`);
    },
    code: 'upstream_error',
  },
  'status-500': {
    behave: (response, { body }) =>
      sendJson(response, 500, { error: { message: JSON.stringify(body['messages']), type: 'server_error' } }),
    code: 'upstream_error',
  },
  'status-401': {
    behave: (response) => sendJson(response, 401, { error: { message: `bad key ${apiKey}` } }),
    code: 'model_unavailable',
  },
  'status-404': {
    behave: (response) => sendJson(response, 404, { detail: 'Not Found' }),
    code: 'model_unavailable',
  },
  'status-301': {
    behave: (response) => void response.writeHead(301, { location: 'http://127.0.0.1:1/' }).end(),
    code: 'model_unavailable',
  },
  'status-429': {
    behave: (response) => sendJson(response, 429, {}, { 'retry-after': '7' }),
    code: 'server_overloaded',
  },
  'refuses-as-openai': {
    behave: (response) =>
      sendJson(response, 400, {
        error: {
          message: 'top_k is too large',
          type: 'invalid_request_error',
          param: 'top_k',
          code: 'invalid_value',
        },
      }),
    code: 'invalid_value',
    param: 'top_k',
  },
  'refuses-as-vllm': {
    behave: (response) =>
      sendJson(response, 400, {
        object: 'error',
        message: "This model's maximum context length is 4096 tokens.",
        type: 'BadRequestError',
        param: null,
        code: 400,
      }),
    code: 'context_length_exceeded',
    param: 'messages',
  },
  'refuses-as-llama-server': {
    behave: (response) =>
      sendJson(response, 400, {
        error: {
          code: 400,
          message: 'the request exceeds the available context size',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 9,
          n_ctx: 8,
        },
      }),
    code: 'context_length_exceeded',
    param: 'messages',
  },
  'refuses-as-fastapi': {
    behave: (response) =>
      sendJson(response, 422, {
        detail: [{ loc: ['body'], msg: `ask\u0007\n\nhttp://10.0.0.5/docs with ${apiKey} in /etc/passwd/x` }],
      }),
    code: 'invalid_value',
  },
  'refuses-in-stream': {
    behave: (response) => {
      beginStream(response);
      response.end('data: {"error":{"message":"too long a prompt","type":"BadRequestError","code":400}}\n\n');
    },
    code: 'invalid_value',
  },
};

/** Answers that break off after some text. */
const breaks: Readonly<Record<string, Behaviour>> = {
  'half-an-event': begun((response) => void response.end('data: {"choices":[{"delta":{"content":"x')),
  'closes-early': begun((response) => void response.end()),
  'breaks-off': begun((response) => void response.write('data: {"cho', () => response.destroy())),
  'hangs-later': begun(() => undefined),
  'only-comments': begun((response) => {
    const timer = setInterval(() => response.write(': ping\n\n'), 100);
    response.once('close', () => clearInterval(timer));
  }),
  'error-later': begun((response) => void response.end(`data: {"error":{"message":"lost ${apiKey}"}}\n\n`)),
  'nonsense-later': begun((response) => void response.end('data: [1]\n\n')),
};

/** Whole answers that lie about their usage, and who counts instead. */
const lies: Readonly<Record<string, object | undefined>> = {
  'no-usage': undefined,
  'negative-usage': { prompt_tokens: -5, completion_tokens: -1 },
  'absurd-usage': { prompt_tokens: 9, completion_tokens: 1e15 },
  'absurd-prompt': { prompt_tokens: 1e9, completion_tokens: 2 },
  'text-usage': { prompt_tokens: '9', completion_tokens: '2' },
  'nothing-written': { prompt_tokens: 9, completion_tokens: 0 },
};

const behaviours: Readonly<Record<string, Behaviour>> = {
  ...Object.fromEntries(Object.entries(refusals).map(([name, { behave }]) => [name, behave])),
  ...breaks,
  ...Object.fromEntries(
    Object.entries(lies).map(([name, lie]) => [name, begun((response) => endStream(response, lie))]),
  ),
  'no-usage counts': (response) => sendJson(response, 200, { count: 5, tokens: [1, 2, 3, 4, 5] }),
  good: begun((response) => endStream(response, usage)),
  'vllm-thinks': (response) => {
    beginStream(response);
    writeChunk(response, { role: 'assistant', content: '', reasoning: null });
    writeChunk(response, { reasoning: 'Let me ' });
    writeChunk(response, { reasoning_content: 'think.' });
    writeChunk(response, { content: '42' });
    endStream(response, { ...usage, prompt_tokens_details: { cached_tokens: 4 } });
  },
  'vllm-calls': (response) => {
    beginStream(response);
    const call = (index: number, fields: object) =>
      writeChunk(response, { tool_calls: [{ index, ...fields }] });
    call(0, { id: 'a', type: 'function', function: { name: 'get_time', arguments: '' } });
    call(0, { function: { arguments: '{"zone":' } });
    call(0, { function: { arguments: '"UTC"}' } });
    call(1, { id: 'b', type: 'function', function: { name: 'get_time', arguments: '{}' } });
    endStream(response, usage);
  },
  'calls-without-end': begun((response) => {
    for (let index = 0; index < 1025; index++)
      writeChunk(response, { tool_calls: [{ index, function: { name: 'f', arguments: '{}' } }] });
    endStream(response, usage);
  }),
  'never-ends': begun((response) => {
    const timer = setInterval(() => writeChunk(response, { content: ' more' }), 20);
    response.once('close', () => clearInterval(timer));
  }),
  'done-but-open': begun((response) => {
    writeChunk(response, {}, { finish_reason: 'stop' });
    response.write(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`);
  }),
};

const stack = new AsyncDisposableStack();
let upstream: HostileUpstream;
let front: RunningServer;
beforeAll(async () => {
  upstream = stack.use(await startHostileUpstream(behaviours));
  front = await startInFront(
    Object.keys(behaviours)
      .filter((id) => !id.includes(' '))
      .map((id) => upstreamModel(id, upstream.url, { timeout: '1s' })),
    { apiKey },
  );
  stack.defer(async () => void (await front.stop()));
});
afterAll(() => stack.disposeAsync());

const secretWords = 'the heron sleeps';
const messages = [{ role: 'user' as const, content: secretWords }];
const lastCharge = () => ledgerOf(front).at(-1);

describe('an upstream that gives no answer', () => {
  it.each(Object.entries(refusals))(
    '%s: one clear error, streamed or not, and nothing is charged',
    async (model, { code, param }) => {
      for (const stream of [false, true]) {
        const response = await postChat(front, { model, messages, stream });
        const message = await expectError(response, code, param ?? null);
        expect(message.length).toBeLessThan(420);
        expect(message).not.toMatch(/sk-the|127\.0|10\.0|\/srv|\/etc|\p{Cc}/u);
        if (response.status === 503) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(lastCharge()).toMatchObject({
          modelId: model,
          refunded: 1,
          promptTokens: 0,
          completionTokens: 0,
        });
      }
    },
  );
});

describe('an upstream whose answer breaks off', () => {
  it.each(Object.keys(breaks))(
    '%s: what came reaches the client, then one error, and it is charged',
    async (model) => {
      const response = await postChat(front, { model, messages, stream: true });
      expect(response.status).toBe(200);
      const text = await response.text();
      const said = [...text.matchAll(/"content":"([^"]+)"/g)].map(([, piece]) => piece).join('');
      expect(said).toBe('Hello there');
      expect(text.match(/event: error/g)).toHaveLength(1);
      expect(text).toContain('"code":"upstream_error"');
      expect(text).not.toContain('sk-the');
      expect(text).not.toContain('[DONE]');
      expect(lastCharge()).toMatchObject({
        modelId: model,
        completionTokens: 3,
        usageSource: 'estimated',
      });
    },
  );
});

it('an upstream that makes more calls than any model is cut off', async () => {
  const response = await postChat(front, { model: 'calls-without-end', messages });
  await expectError(response, 'upstream_error', null);
});

describe('an upstream that lies about usage, or says nothing', () => {
  it.each(Object.keys(lies))('%s: what its tokenizer says is charged, or an estimate', async (model) => {
    const answer = await openClient(front).chat.completions.create({ model, messages });
    expect(answer.choices[0]?.message.content).toBe('Hello there');
    const isCounted = model === 'no-usage';
    const [promptTokens, completionTokens] = isCounted ? [5, 5] : [4, 3];
    expect(answer.usage).toMatchObject({ prompt_tokens: promptTokens, completion_tokens: completionTokens });
    const usageSource = isCounted ? 'tokenized' : 'estimated';
    expect(lastCharge()).toMatchObject({ modelId: model, promptTokens, completionTokens, usageSource });
  });
});

describe('an upstream that behaves', () => {
  it('is asked for a stream with usage, with its key and what the client chose, and no more', async () => {
    const extra = { temperature: 0.5, top_k: 3, max_tokens: 7, stop: 'x', seed: 4, repeat_penalty: 1.5 };
    await openClient(front).chat.completions.create({ model: 'good', messages, ...extra });
    const asked = upstream.requestsFor('good').at(-1);
    expect(asked?.headers.authorization).toBe(`Bearer ${apiKey}`);
    const { repeat_penalty: penalty, ...plain } = extra;
    expect(asked?.body).toEqual({
      model: 'good',
      messages,
      stream: true,
      stream_options: { include_usage: true },
      ...plain,
      stop: ['x'],
      repetition_penalty: penalty,
    });
    expect(lastCharge()).toMatchObject({ promptTokens: 9, completionTokens: 2, usageSource: 'reported' });
  });

  it('may think under either name, and call functions as vLLM does', async () => {
    const thought = await openClient(front).chat.completions.create({ model: 'vllm-thinks', messages });
    expect(thought.choices[0]?.message).toMatchObject({ content: '42', reasoning_content: 'Let me think.' });
    expect(thought.usage).toMatchObject({
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 2 },
    });
    const tools = [{ type: 'function' as const, function: { name: 'get_time' } }];
    const called = await openClient(front).chat.completions.create({ model: 'vllm-calls', messages, tools });
    expect(called.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [
          { function: { name: 'get_time', arguments: '{"zone":"UTC"}' } },
          { function: { name: 'get_time', arguments: '{}' } },
        ],
      },
    });
  });

  it('may leave the connection open after the end', async () => {
    const answer = await openClient(front).chat.completions.create({ model: 'done-but-open', messages });
    expect(answer.choices[0]?.message.content).toBe('Hello there');
    expect(answer.usage).toMatchObject(usage);
  });

  it('loses its request at once when the client leaves, which is charged', async () => {
    const leaver = new AbortController();
    const response = await postChat(
      front,
      { model: 'never-ends', messages, stream: true },
      { signal: leaver.signal },
    );
    await response.body?.getReader().read();
    const leftAtMs = performance.now();
    leaver.abort();
    await upstream.requestsFor('never-ends').at(-1)?.closed;
    expect(performance.now() - leftAtMs).toBeLessThan(500);
    await expect
      .poll(() => lastCharge())
      .toMatchObject({ modelId: 'never-ends', status: 200, usageSource: 'estimated' });
    expect(lastCharge()?.completionTokens).toBeGreaterThan(0);
  });
});

it('leaves no prompt in the log, which an upstream may repeat in its errors', async () => {
  const response = await postChat(front, { model: 'status-500', messages });
  await expectError(response, 'upstream_error', null);
  await expect.poll(() => front.stderr() + front.stdout()).toContain('status 500, server_error');
  expect(front.stderr() + front.stdout()).not.toContain(secretWords);
});

it('never shows its key', async () => {
  const { status } = await fetch(new URL('/readyz', front.baseUrl));
  expect(status).toBe(200);
  expect(front.stderr() + front.stdout()).not.toContain(apiKey);
  expect(JSON.stringify(await hearthCli(front, 'models', 'list'))).not.toContain(apiKey);
});
