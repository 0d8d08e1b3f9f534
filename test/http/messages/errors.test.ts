import { describe, expect, it } from 'vitest';
import { AppError, type ErrorCode } from '../../../src/errors/errors.ts';
import { adminKey, buildApp, limitedKey, userKey } from '../../support/fakes/http-service.ts';
import {
  expectAnthropicError,
  helloMessage,
  messageRequest,
  readMessageEvents,
} from '../../support/wire/messages.ts';
import { processorMs } from '../../support/watch/processor-time.ts';

const stranger = 'hk-stranger-0123456789abcdefghijklmnopqrstuvw';

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } };

describe('keys of the Messages API', () => {
  const { app } = buildApp();
  const nowhere = (headers: Record<string, string>) => app.request('/v1/messages/nowhere', { headers });

  it.each([
    ['no key', {}],
    ['an unknown bearer key', { authorization: `Bearer ${stranger}` }],
    ['an unknown x-api-key', { 'x-api-key': stranger }],
    ['an empty x-api-key', { 'x-api-key': ' ' }],
  ])('refuses %s', async (_, headers) => {
    const response = await nowhere(headers);
    const message = await expectAnthropicError(response, 401, 'authentication_error');
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(message).not.toContain(stranger);
  });

  it.each([
    ['a bearer key', { authorization: `Bearer ${userKey}` }],
    ['an x-api-key', { 'x-api-key': userKey }],
    ['an x-api-key beside a foreign bearer key', { 'x-api-key': userKey, authorization: 'Bearer sk-ant-1' }],
    ['a bearer key beside a foreign x-api-key', { 'x-api-key': 'sk-1', authorization: `Bearer ${userKey}` }],
  ])('takes %s', async (_, headers) => {
    await expectAnthropicError(await nowhere(headers), 404, 'not_found_error');
  });

  it('refuses an admin key, and models that the key may not use', async () => {
    await expectAnthropicError(await nowhere({ 'x-api-key': adminKey }), 403, 'permission_error');
    const request = messageRequest({}, { headers: { authorization: `Bearer ${limitedKey}` } });
    await expectAnthropicError(await app.request(...request), 403, 'permission_error');
  });

  it('takes no x-api-key on the routes of OpenAI', async () => {
    const response = await app.request('/v1/nowhere', { headers: { 'x-api-key': userKey } });
    expect(response.status).toBe(401);
    expect(response.headers.has('request-id')).toBe(false);
    expect(await response.json()).toHaveProperty('error.code', 'missing_api_key');
  });
});

describe.each(['/v1/messages', '/v1/messages/count_tokens'])('%s refuses', (path) => {
  const { app, health } = buildApp();

  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['a wrong type', { messages: 'Hi' }],
    ['a mistyped name', { mesages: [] }],
    ['no messages', { messages: [] }],
    ['an unknown role', { messages: [{ role: 'tool', content: 'x' }] }],
    ['a tool in the shape of OpenAI', { tools: [{ type: 'function', function: { name: 'f' } }] }],
  ])('%s', async (_, body) => {
    await expectAnthropicError(
      await app.request(...messageRequest(body, { path })),
      400,
      'invalid_request_error',
    );
  });

  it.each([
    ['an image', [image], 'messages[0].content[0]'],
    ['a PDF', [{ type: 'text', text: 'a' }, { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: '' } }], 'messages[0].content[1]'],
    ['a file', [{ type: 'document', source: { type: 'file', file_id: 'file_1' } }], 'messages[0].content[0]'],
    ['a result without a call', [{ type: 'tool_result', tool_use_id: 'toolu_1' }], 'messages[0].content[0].tool_use_id'],
    ['an unknown block', [{ type: 'hologram' }], 'messages[0].content[0].type'],
  ])('%s, by its path', async (_, content, param) => {
    const body = { messages: [{ role: 'user', content }] };
    const response = await app.request(...messageRequest(body, { path }));
    expect(await expectAnthropicError(response, 400, 'invalid_request_error')).toContain(`'${param}'`);
  }); // prettier-ignore

  it('an image in the result of a tool, by its path', async () => {
    const messages = [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [image] }],
      },
    ];
    const response = await app.request(...messageRequest({ messages }, { path }));
    const message = await expectAnthropicError(response, 400, 'invalid_request_error');
    expect(message).toContain("'messages[1].content[0].content[0]'");
  });

  it('an answer that is to be continued', async () => {
    const messages = [...helloMessage.messages, { role: 'assistant', content: '{' }];
    const response = await app.request(...messageRequest({ messages }, { path }));
    expect(await expectAnthropicError(response, 400, 'invalid_request_error')).toContain('continued');
  });

  it('a conversation that the server would have to keep, in the words that make the client send all of it', async () => {
    const response = await app.request(...messageRequest({ thread: { type: 'create' } }, { path }));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { type: 'invalid_request_error', details: { error_code: 'thread_unsupported_request' } },
    });
  });

  it('another version', async () => {
    const headers = { 'anthropic-version': '2023-01-01' };
    const response = await app.request(...messageRequest({}, { path, headers }));
    expect(await expectAnthropicError(response, 400, 'invalid_request_error')).toContain('2023-06-01');
  });

  it('an unknown model, and one that cannot write', async () => {
    const unknown = await app.request(...messageRequest({ model: 'nope' }, { path }));
    await expectAnthropicError(unknown, 404, 'not_found_error');
    const deaf = await app.request(...messageRequest({ model: 'ears' }, { path }));
    await expectAnthropicError(deaf, 400, 'invalid_request_error');
  });

  it('bodies that are too large, that are no JSON by their type, and other methods', async () => {
    const large = await app.request(...messageRequest('x'.repeat(65 * 1024), { path }));
    await expectAnthropicError(large, 413, 'request_too_large');
    const headers = { 'content-type': 'text/plain' };
    await expectAnthropicError(
      await app.request(...messageRequest({}, { path, headers })),
      415,
      'invalid_request_error',
    );
    const get = await app.request(path, { headers: { 'x-api-key': userKey } });
    await expectAnthropicError(get, 405, 'invalid_request_error');
    expect(get.headers.get('allow')).toBe('POST');
  });

  it('everything once it shuts down', async () => {
    health.isDraining = true;
    const response = await app.request(...messageRequest({}, { path }));
    health.isDraining = false;
    await expectAnthropicError(response, 503, 'api_error');
  });
});

describe('errors behind the door', () => {
  const failures = [
    ['server_overloaded', 529, 'overloaded_error'],
    ['model_loading', 503, 'api_error'],
    ['model_broken', 503, 'api_error'],
    ['engine_error', 500, 'api_error'],
    ['context_length_exceeded', 400, 'invalid_request_error'],
    ['rate_limit_exceeded', 429, 'rate_limit_error'],
  ] as const satisfies readonly (readonly [ErrorCode, number, string])[];

  it.each(failures.flatMap((failure) => [false, true].map((stream) => [...failure, stream] as const)))(
    '%s is %d %s (stream: %s)',
    async (code, status, type, stream) => {
      const { app, engine, limiter } = buildApp();
      engine.script = { before: [{ fail: new AppError(code, 'It cannot be done.') }], steps: [] };
      const response = await app.request(...messageRequest({ stream }));
      expect(await expectAnthropicError(response, status, type)).toContain('It cannot be done.');
      expect(response.headers.get('retry-after')).toBe(status >= 503 && code !== 'model_broken' ? '1' : null);
      const isFinal = code === 'model_broken' || status === 400;
      expect(response.headers.get('x-should-retry')).toBe(isFinal ? 'false' : null);
      expect(limiter.settlements).toHaveLength(1);
    },
  );

  it.each([
    ['The prompt has 9 tokens, and here is room for 8.', '9 tokens > 8 maximum. '],
    ['Here is room for 8 tokens, and the prompt has more than 32.', '32 tokens > 8 maximum. '],
    ['The prompt has too many characters.', ''],
  ])(
    'tell a client that its prompt must become shorter, in words that it looks for: %s',
    async (told, counts) => {
      const { app, engine } = buildApp();
      const error = new AppError('context_length_exceeded', told, { param: 'messages' });
      engine.script = { before: [{ fail: error }], steps: [] };
      const response = await app.request(...messageRequest());
      const message = await expectAnthropicError(response, 400, 'invalid_request_error');
      expect(message).toBe(`prompt is too long: ${counts}${told}`);
    },
  );

  it('tell of the limit of the key, and when it can be used again', async () => {
    const { app, limiter, engine } = buildApp();
    limiter.refuse = new AppError('rate_limit_exceeded', 'Too many requests.', { retryAfterSeconds: 7 });
    const response = await app.request(...messageRequest());
    await expectAnthropicError(response, 429, 'rate_limit_error');
    expect(response.headers.get('retry-after')).toBe('7');
    expect(engine.calls).toEqual([]);
  });

  it('hide what nobody was meant to see', async () => {
    const { app, engine } = buildApp();
    engine.script = { before: [{ fail: new Error('the secret path') }], steps: [] };
    const message = await expectAnthropicError(await app.request(...messageRequest()), 500, 'api_error');
    expect(message).not.toContain('secret');
  });

  it.each([
    ['tools[0].parameters.properties.a', 'tools[1].input_schema.properties.a'],
    ['tools[1].parameters', 'tools[2].input_schema'],
    ['schema.properties.a', 'output_config.format.schema.properties.a'],
  ])('name %s as the client sent it', async (engineParam, wireParam) => {
    const { app, engine, logLines } = buildApp();
    const error = new AppError('invalid_json_schema', 'It cannot be.', { param: engineParam });
    engine.script = { before: [{ fail: error }], steps: [] };
    const input_schema = { type: 'object' };
    const body = {
      tools: [
        { type: 'web_search_20250305', name: 'web_search' },
        { name: 'f', input_schema },
        { name: 'g', input_schema },
      ],
      output_config: { format: { type: 'json_schema', schema: {} } },
    };
    const response = await app.request(...messageRequest(body));
    expect(await expectAnthropicError(response, 400, 'invalid_request_error')).toBe(
      `${wireParam}: It cannot be.`,
    );
    expect(logLines.at(-1)).toContain('invalid_json_schema');
  });

  it('tell that another server failed from what the client did wrong', async () => {
    const { app, engine } = buildApp();
    engine.script = { before: [{ fail: new AppError('upstream_error', 'It broke off.') }], steps: [] };
    await expectAnthropicError(await app.request(...messageRequest()), 502, 'api_error');
  });

  // With a pattern that can match in many ways this would take hours, and stop the whole server.
  it('refuse a long type of a tool at once', async () => {
    const { app } = buildApp();
    const startMs = processorMs();
    for (const type of [`${'_'.repeat(60_000)}!`, `${'a_'.repeat(60)}!`, 'no-such']) {
      const response = await app.request(...messageRequest({ tools: [{ type, name: 'f' }] }));
      const message = await expectAnthropicError(response, 400, 'invalid_request_error');
      expect(message).toContain('tools[0].type');
    }
    expect(processorMs() - startMs).toBeLessThan(2000);
  });

  it('end a stream that has begun with an event', async () => {
    const { app, engine } = buildApp();
    engine.script = { steps: [{ text: 'a' }, { fail: new AppError('server_overloaded', 'Too many wait.') }] };
    const response = await app.request(...messageRequest({ stream: true }));
    expect(response.status).toBe(200);
    const events = readMessageEvents(await response.text());
    expect(events.at(-1)).toEqual({
      type: 'error',
      error: { type: 'overloaded_error', message: 'Too many wait.' },
      request_id: response.headers.get('request-id'),
    });
    expect(events.map(({ type }) => type)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'error',
    ]);
  });
});

it('says in the document which errors there are', async () => {
  const { app } = buildApp();
  const document = (await (await app.request('/openapi.json')).json()) as {
    paths: Record<string, { post: { responses: object; security: object[] } }>;
  };
  const { responses, security } = document.paths['/v1/messages']?.post ?? {};
  expect(Object.keys(responses ?? {})).toEqual(expect.arrayContaining(['200', '400', '401', '529']));
  expect(security).toEqual([{ apiKey: [] }, { 'x-api-key': [] }]);
});
