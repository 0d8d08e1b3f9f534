import { Ollama } from 'ollama';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors/errors.ts';
import type { ErrorCode } from '../../src/errors/errors.ts';
import { errorTable } from '../../src/errors/errors.ts';
import { buildApp, jsonRequest, listen, limitedKey, userKey } from '../support/http-service.ts';
import type { Service } from '../support/http-service.ts';
import { wireTool } from '../support/wire-tools.ts';

let service: ReturnType<typeof buildApp>;
beforeEach(() => {
  service = buildApp();
});
const post = async (path: string, body: unknown, init?: RequestInit) =>
  service.app.request(...jsonRequest(path, body, init));
const get = async (path: string, key = userKey) =>
  service.app.request(path, { headers: { authorization: `Bearer ${key}` } });
const linesOf = async (response: Response) =>
  (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

async function expectRefusal(response: Response, code: ErrorCode, words: string): Promise<void> {
  expect(response.status).toBe(errorTable[code].status);
  const body = (await response.json()) as { error: string };
  expect(Object.keys(body)).toEqual(['error']);
  expect(body.error).toContain(words);
}

const model = 'tiny:latest';
const messages = [{ role: 'user', content: 'Hi' }];
const statistics = {
  total_duration: expect.any(Number) as number,
  load_duration: expect.any(Number) as number,
  prompt_eval_count: 7,
  prompt_eval_duration: expect.any(Number) as number,
  eval_count: 2,
  eval_duration: expect.any(Number) as number,
};
const created_at = '2026-11-18T11:06:40.000Z';

describe('a chat', () => {
  it('comes in lines of JSON, the last one with the statistics', async () => {
    const response = await post('/api/chat', { model, messages });
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(await linesOf(response)).toEqual([
      { model, created_at, message: { role: 'assistant', content: 'Hello' }, done: false },
      { model, created_at, message: { role: 'assistant', content: ' there' }, done: false },
      { model, created_at, message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop', ...statistics },
    ]);
    expect(service.limiter.lastSettlement).toMatchObject({ promptTokens: 7, completionTokens: 2 });
    expect(service.limiter.admitted.at(-1)).toMatchObject({ route: '/api/chat', modelId: 'tiny' });
  }); // prettier-ignore

  it('comes as one object where it is not streamed', async () => {
    service.engine.script = { steps: [{ reasoning: 'Hm.' }, { text: 'Yes' }], finishReason: 'length' };
    const response = await post('/api/chat', { model: 'thinker', messages, think: true, stream: false });
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toEqual({
      model: 'thinker',
      created_at,
      message: { role: 'assistant', content: 'Yes', thinking: 'Hm.' },
      done: true,
      done_reason: 'length',
      ...statistics,
    });
  });

  it('has calls of tools whole, each in a line of its own', async () => {
    service.engine.script = {
      steps: [{ call: 'f' }, { arguments: '{"a":' }, { arguments: '1}' }, { call: 'g' }],
      finishReason: 'tool_calls',
    };
    const tools = [wireTool('f'), wireTool('g')];
    const calls = [
      { function: { name: 'f', arguments: { a: 1 } } },
      { function: { name: 'g', arguments: {} } },
    ];
    const lines = await linesOf(await post('/api/chat', { model, messages, tools }));
    expect(lines.map(({ message }) => (message as { tool_calls?: object }).tool_calls)).toEqual([
      [calls[0]],
      [calls[1]],
      undefined,
    ]);
    expect(lines.at(-1)).toMatchObject({ done_reason: 'stop' });
    const whole = await post('/api/chat', { model, messages, tools, stream: false });
    expect(await whole.json()).toMatchObject({ message: { tool_calls: calls } });
  });

  it('leaves out a call that was cut off', async () => {
    service.engine.script = { steps: [{ call: 'f' }, { arguments: '{"a":' }], finishReason: 'length' };
    const whole = await post('/api/chat', { model, messages, tools: [wireTool('f')], stream: false });
    expect(await whole.json()).toMatchObject({ message: { role: 'assistant', content: '' }, done_reason: 'length' });
  }); // prettier-ignore

  it('asks the engine for what it says', async () => {
    const schema = { type: 'object' };
    const conversation = [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: '', thinking: 'Ask.', tool_calls: [{ function: { name: 'f', arguments: { x: 1 } } }, { function: { name: 'g' } }] },
      { role: 'tool', content: 'rain', tool_name: 'g' },
      { role: 'tool', content: 'sun' },
    ]; // prettier-ignore
    const options = {
      temperature: 0,
      top_k: 3,
      seed: 1,
      num_predict: 9,
      stop: ['END'],
      num_ctx: 4096,
      mirostat: 1,
    };
    const response = await post('/api/chat', {
      model: 'thinker',
      messages: conversation,
      format: schema,
      think: 'low',
      keep_alive: '-1m',
      options,
      logit: 1,
    });
    expect(response.headers.get('x-ignored-parameters')).toBe('logit, options.num_ctx, options.mirostat');
    const calls = [
      { id: 'call_0', name: 'f', arguments: '{"x":1}' },
      { id: 'call_1', name: 'g', arguments: '{}' },
    ];
    expect(service.engine.lastCall.request).toMatchObject({
      modelId: 'thinker',
      prompt: {
        messages: [
          { role: 'system', content: 'Be short.' },
          { role: 'user', content: 'Weather?' },
          { role: 'assistant', content: '', reasoning: 'Ask.', toolCalls: calls },
          { role: 'tool', content: 'rain', toolCallId: 'call_1' },
          { role: 'tool', content: 'sun', toolCallId: 'call_0' },
        ],
      },
      sampling: { temperature: 0, topK: 3, seed: 1 },
      stop: ['END'],
      maxTokens: 9,
      outputFormat: { kind: 'json-schema', schema },
      reasoning: { enabled: true, effort: 'low' },
      keepAliveMs: Number.POSITIVE_INFINITY,
    });
  });

  it.each([
    [{ format: 'json' }, { outputFormat: { kind: 'json-object' } }],
    [{ format: '', think: false, keep_alive: 300 }, { keepAliveMs: 300_000 }],
    [{ options: { num_predict: -1 } }, { maxTokens: undefined }],
    [{ keep_alive: -1 }, { keepAliveMs: Number.POSITIVE_INFINITY }],
    [{ keep_alive: 0 }, { keepAliveMs: 0 }],
  ])('takes %j', async (extra, request) => {
    expect((await post('/api/chat', { model, messages, ...extra })).status).toBe(200);
    expect(service.engine.lastCall.request).toMatchObject(request);
  });

  it.each([
    [
      { messages: [{ role: 'user', content: 'x', images: ['aGk='] }] },
      'unsupported_content',
      'messages[0].images',
    ],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'invalid_value', 'messages[0]'],
    [{ messages: [{ role: 'robot', content: 'x' }] }, 'invalid_value', 'messages[0].role'],
    [{ think: true }, 'unsupported_value', 'think'],
    [{ think: 'much' }, 'invalid_value', 'think'],
    [{ format: 'xml' }, 'invalid_value', 'format'],
    [{ options: { temperature: 3 } }, 'invalid_value', 'options.temperature'],
    [{ options: { temprature: 1 } }, 'unknown_parameter', 'temprature'],
    [{ options: [] }, 'invalid_type', 'options'],
    [{ keep_alive: 'long' }, 'invalid_value', 'keep_alive'],
    [{ stream: 'yes' }, 'invalid_type', 'stream'],
    [{ mesages: [] }, 'unknown_parameter', 'messages'],
    [{ model: 'ears' }, 'unsupported_value', 'ears'],
    [{ model: 'none:latest' }, 'model_not_found', 'none'],
  ] as const)('refuses %j in one sentence', async (extra, code, words) => {
    await expectRefusal(await post('/api/chat', { model, messages, ...extra }), code, words);
    expect(service.limiter.admitted).toEqual([]);
  });

  it('tells what fails, as a status before its first line and as a line after it', async () => {
    const error = new AppError('invalid_json_schema', "The keyword 'x' cannot be honoured.", { param: 'schema.x' });
    service.engine.script = { before: [{ fail: error }], steps: [] };
    const body = { model, messages, format: {} };
    await expectRefusal(await post('/api/chat', body), 'invalid_json_schema', "'x'");
    service.engine.script = { steps: [{ text: 'He' }, { waitMs: 1 }, { fail: new AppError('engine_error', 'It broke.') }] };
    expect((await linesOf(await post('/api/chat', body))).at(-1)).toEqual({ error: 'It broke.' });
  }); // prettier-ignore
});

describe('a generation', () => {
  it('answers a prompt', async () => {
    const lines = await linesOf(await post('/api/generate', { model, prompt: 'Hi', system: 'Be short.' }));
    expect(lines[0]).toEqual({ model, created_at, response: 'Hello', done: false });
    expect(lines.at(-1)).toEqual({
      model,
      created_at,
      response: '',
      done: true,
      done_reason: 'stop',
      ...statistics,
    });
    expect(service.engine.lastCall.request.prompt).toEqual({
      kind: 'messages',
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Hi' },
      ],
    });
  });

  it.each([
    [
      { prompt: 'a', raw: true },
      { kind: 'text', text: 'a' },
    ],
    [
      { prompt: 'a', suffix: 'b' },
      { kind: 'text', text: 'a', suffix: 'b' },
    ],
    [
      { prompt: 'a', raw: true, template: '', context: [], images: [] },
      { kind: 'text', text: 'a' },
    ],
  ])('continues %j', async (extra, prompt) => {
    const response = await post('/api/generate', { model, stream: false, format: 'json', ...extra });
    expect(await response.json()).toMatchObject({ response: 'Hello there', done: true });
    expect(service.engine.lastCall.request).toMatchObject({ prompt, outputFormat: { kind: 'json-object' } });
  });

  it.each([
    [{ template: '{{ .Prompt }}' }, 'unsupported_value', 'template'],
    [{ context: [1, 2] }, 'unsupported_value', 'context'],
    [{ images: ['aGk='] }, 'unsupported_content', 'images'],
    [{ raw: true, system: 'x' }, 'unsupported_value', 'system'],
    [{ raw: true, think: true }, 'unsupported_value', 'think'],
    [{ prompt: 7 }, 'invalid_type', 'prompt'],
  ] as const)('refuses %j', async (extra, code, words) => {
    await expectRefusal(await post('/api/generate', { model, prompt: 'a', ...extra }), code, words);
  });
});

describe.each([
  ['/api/chat', { message: { role: 'assistant', content: '' } }],
  ['/api/generate', { response: '' }],
])('%s without words', (path, empty) => {
  it('loads the model', async () => {
    const response = await post(path, { model, keep_alive: '10m' });
    expect(await linesOf(response)).toEqual([
      { model, created_at, ...empty, done: true, done_reason: 'load' },
    ]);
    expect(service.engine.tokenizations.at(-1)).toMatchObject({ modelId: 'tiny', keepAliveMs: 600_000 });
    expect(service.engine.calls).toEqual([]);
  });

  it('frees it at once with keep_alive 0, and loads nothing for that', async () => {
    const body = { model, keep_alive: 0, stream: false };
    expect(await (await post(path, body)).json()).toMatchObject({ ...empty, done_reason: 'unload' });
    expect(service.engine.tokenizations).toEqual([]);
    service.engine.states.set('tiny', 'loaded');
    await post(path, body);
    expect(service.engine.tokenizations).toMatchObject([{ keepAliveMs: 0 }]);
  });

  it('tells why it cannot be loaded', async () => {
    service.engine.tokenizeFailure = new AppError('model_load_failed', 'It is damaged.');
    await expectRefusal(await post(path, { model }), 'model_load_failed', 'damaged');
  });
});

describe('embeddings', () => {
  it('come for one text or several', async () => {
    const response = await post('/api/embed', { model: 'vectors', input: ['a', 'b'], dimensions: 4, options: { num_ctx: 1 } });
    expect(await response.json()).toEqual({
      model: 'vectors',
      embeddings: [expect.any(Array), expect.any(Array)],
      total_duration: expect.any(Number) as number,
      load_duration: expect.any(Number) as number,
      prompt_eval_count: 6,
    });
    expect(service.engine.embeddings.at(-1)?.request).toMatchObject({ inputs: ['a', 'b'], dimensions: 4 });
    const one = await post('/api/embeddings', { model: 'vectors:latest', prompt: 'a' });
    expect(await one.json()).toEqual({ embedding: [1, 0, 0, 0] });
    expect(service.limiter.lastSettlement).toMatchObject({ promptTokens: 3 });
  }); // prettier-ignore

  const tooLong = new AppError('context_length_exceeded', 'Too long.', { param: 'inputs[0]' });
  const refuseTexts = () => {
    const { embedding } = service.engine;
    service.engine.embedding = (asked) =>
      asked.request.inputs.some((input) => typeof input === 'string')
        ? { outcome: 'failed', error: tooLong, usage: { promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 } }
        : embedding(asked);
  }; // prettier-ignore

  it('are of as much as the model takes, unless the client wants to know', async () => {
    refuseTexts();
    expect((await post('/api/embed', { model: 'vectors', input: 'x'.repeat(3000) })).status).toBe(200);
    expect(service.engine.embeddings.at(-1)?.request.inputs[0]).toHaveLength(2046);
    const strict = { model: 'vectors', input: 'x', truncate: false };
    await expectRefusal(await post('/api/embed', strict), 'context_length_exceeded', 'Too long');
  });

  it.each([
    ['/api/embed', { input: [] }, 'invalid_value', 'input'],
    ['/api/embed', {}, 'missing_required_parameter', 'input'],
    ['/api/embeddings', { prompt: '' }, 'invalid_value', 'prompt'],
    ['/api/embeddings', { model: 'ears', prompt: 'a' }, 'unsupported_value', 'ears'],
  ] as const)('%s refuses %j', async (path, body, code, words) => {
    await expectRefusal(await post(path, { model: 'vectors', ...body }), code, words);
  });
});

describe('the models', () => {
  it('are listed with a tag, those that the key may use', async () => {
    const { models } = (await (await get('/api/tags')).json()) as { models: { name: string }[] };
    expect(models.map(({ name }) => name)).toEqual([
      'tiny:latest', 'org/slashed:latest', 'native-r:latest', 'thinker:latest', 'vectors:latest',
    ]); // prettier-ignore
    expect(models[0]).toMatchObject({
      model: 'tiny:latest',
      size: 1_000_000,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      details: { family: 'llama', parameter_size: '135M', quantization_level: 'Q8_0' },
    });
    const own = (await (await get('/api/tags', limitedKey)).json()) as typeof models;
    expect(own).toMatchObject({ models: [{ name: 'org/slashed:latest' }] });
  });

  it('are shown with what they can do', async () => {
    const shown = await post('/api/show', { model: 'thinker:latest' });
    expect(await shown.json()).toMatchObject({
      capabilities: ['completion', 'tools', 'thinking'],
      model_info: { 'general.architecture': 'llama', 'llama.context_length': 2048 },
    });
    expect(await (await post('/api/show', { name: 'vectors' })).json()).toMatchObject({
      capabilities: ['embedding'],
    });
    await expectRefusal(await post('/api/show', { model: 'none' }), 'model_not_found', 'none');
    await expectRefusal(await post('/api/show', {}), 'missing_required_parameter', 'model');
  });

  it('that are in memory are listed with when they leave', async () => {
    expect(await (await get('/api/ps')).json()).toEqual({ models: [] });
    service.engine.states.set('tiny', 'loaded');
    expect(await (await get('/api/ps')).json()).toMatchObject({
      models: [{ name: 'tiny:latest', size: 1000, size_vram: 300, context_length: 2048, expires_at: '9999-12-31T23:59:59Z' }],
    }); // prettier-ignore
    service.engine.unloadsAtMs = 1_795_000_000_000;
    expect(await (await get('/api/ps')).json()).toMatchObject({ models: [{ expires_at: created_at }] });
  });

  it('are of a version that programs ask for', async () => {
    expect(await (await get('/api/version')).json()).toEqual({
      version: expect.stringMatching(/^0\.\d+\.\d+$/) as string,
    });
  });
});

describe('the errors around the routes', () => {
  it('have the same form', async () => {
    await expectRefusal(await service.app.request('/api/tags'), 'missing_api_key', 'API key');
    await expectRefusal(await get('/api/none'), 'not_found', '/api/none');
    await expectRefusal(await get('/api/chat'), 'method_not_allowed', 'POST');
    await expectRefusal(await post('/api/chat', '{'), 'invalid_json', 'JSON');
    await expectRefusal(await post('/api/pull', { model: 'x' }), 'insufficient_permissions', 'admin key');
    service.limiter.refuse = new AppError('rate_limit_exceeded', 'Wait 3 s.', { retryAfterSeconds: 3 });
    const refused = await post('/api/chat', { model, messages });
    expect(refused.headers.get('retry-after')).toBe('3');
    await expectRefusal(refused, 'rate_limit_exceeded', 'Wait');
  });

  it('do not include the type that curl sends', async () => {
    const init = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect((await post('/api/chat', JSON.stringify({ model, messages }), init)).status).toBe(200);
    const text = { headers: { 'content-type': 'text/plain' } };
    await expectRefusal(await post('/api/chat', '{}', text), 'unsupported_media_type', 'JSON');
  });
});

describe('a program on this machine', () => {
  let local: Service;
  beforeAll(async () => {
    local = await listen({ ollamaKey: 'key-of-yz12' });
  });
  afterAll(() => local.close());
  const ask = (headers: Record<string, string> = {}) => fetch(`${local.origin}/api/version`, { headers });

  it('needs no key where the operator names one for it, and is charged under that', async () => {
    const answer = await new Ollama({ host: local.origin }).chat({ model: 'tiny', messages });
    expect(answer.message.content).toBe('Hello there');
    expect(local.engine.lastCall.request.keyId).toBe('key-of-yz12');
    expect(local.limiter.admitted.at(-1)?.principal).toMatchObject({ keyId: 'key-of-yz12' });
  });

  it.each([
    ['a page of another origin', { origin: 'https://evil.example' }],
    ['a proxy for others', { 'x-forwarded-for': '203.0.113.9' }],
    ['a wrong key', { authorization: 'Bearer hk-wrong' }],
  ])('is not %s', async (_, headers) => {
    expect((await ask(headers)).status).toBe(401);
  });

  it('is a page of an origin that is allowed', async () => {
    expect((await ask({ origin: 'http://localhost:3000' })).status).toBe(200);
  });

  it('gets nothing else for it', async () => {
    expect((await fetch(`${local.origin}/v1/models`)).status).toBe(401);
    const body = JSON.stringify({ model: 'x' });
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${local.origin}/api/pull`, { method: 'POST', body, headers })).status).toBe(403);
  });

  it('is told when the key that it should use is gone', async () => {
    const { app } = buildApp({ ollamaKey: 'key_gone' });
    const bindings = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };
    const response = await app.request('/api/version', { headers: { host: 'localhost' } }, bindings);
    await expectRefusal(response, 'invalid_api_key', 'ollamaKey');
  });

  it.each([
    ['192.0.2.7', 'localhost'],
    ['127.0.0.1', 'evil.example'],
  ])('is not one at %s that asks for %s', async (remoteAddress, host) => {
    const { app } = buildApp({ ollamaKey: 'key-of-yz12' });
    const response = await app.request('/api/version', { headers: { host } }, { incoming: { socket: { remoteAddress } } });
    await expectRefusal(response, 'missing_api_key', 'API key');
  }); // prettier-ignore
});
