import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/errors.ts';
import { expectOllamaError } from '../../support/wire/error-envelope.ts';
import { buildApp, jsonRequest } from '../../support/fakes/http-service.ts';
import { wireTool } from '../../support/wire/wire-tools.ts';

let service: ReturnType<typeof buildApp>;
beforeEach(() => {
  service = buildApp();
});
const post = async (path: string, body: unknown, init?: RequestInit) =>
  service.app.request(...jsonRequest(path, body, init));
const linesOf = async (response: Response) =>
  (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

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
      steps: [{ call: 'f' }, { arguments: '{"a":' }, { arguments: '1}' }, { text: 'And' }, { call: 'g' }],
      finishReason: 'tool_calls',
    };
    const tools = [wireTool('f'), wireTool('g')];
    const calls = [
      { function: { name: 'f', arguments: { a: 1 } } },
      { function: { name: 'g', arguments: {} } },
    ];
    const lines = await linesOf(await post('/api/chat', { model, messages, tools }));
    // Text behind a call comes behind it.
    expect(lines.map(({ message }) => (message as { tool_calls?: object }).tool_calls)).toEqual([
      [calls[0]],
      undefined,
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
    expect(response.headers.get('x-ignored-parameters')).toBe('options.num_ctx, options.mirostat, logit');
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
    await expectOllamaError(await post('/api/chat', { model, messages, ...extra }), code, words);
    expect(service.limiter.admitted).toEqual([]);
  });

  it('tells what fails, as a status before its first line and as a line after it', async () => {
    const error = new AppError('invalid_json_schema', "The keyword 'x' cannot be honoured.", { param: 'schema.x' });
    service.engine.script = { before: [{ fail: error }], steps: [] };
    const body = { model, messages, format: {} };
    await expectOllamaError(await post('/api/chat', body), 'invalid_json_schema', "'x'");
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
    await expectOllamaError(await post('/api/generate', { model, prompt: 'a', ...extra }), code, words);
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
    await expectOllamaError(await post(path, { model }), 'model_load_failed', 'damaged');
  });
});
