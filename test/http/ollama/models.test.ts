import { Ollama } from 'ollama';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/errors.ts';
import { fakeCatalog, fakeModel } from '../../support/fakes/fake-services.ts';
import { expectOllamaError } from '../../support/wire/error-envelope.ts';
import { buildApp, jsonRequest, limitedKey, listen, userKey } from '../../support/fakes/http-service.ts';
import type { Service } from '../../support/fakes/http-service.ts';

let service: ReturnType<typeof buildApp>;
beforeEach(() => {
  service = buildApp();
});
const post = async (path: string, body: unknown, init?: RequestInit) =>
  service.app.request(...jsonRequest(path, body, init));
const get = async (path: string, key = userKey) =>
  service.app.request(path, { headers: { authorization: `Bearer ${key}` } });

const model = 'tiny:latest';
const messages = [{ role: 'user', content: 'Hi' }];
const created_at = '2026-11-18T11:06:40.000Z';

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
    await expectOllamaError(await post('/api/embed', strict), 'context_length_exceeded', 'Too long');
  });

  it.each([
    ['/api/embed', { input: [] }, 'invalid_value', 'input'],
    ['/api/embed', {}, 'missing_required_parameter', 'input'],
    ['/api/embeddings', { prompt: '' }, 'invalid_value', 'prompt'],
    ['/api/embeddings', { model: 'ears', prompt: 'a' }, 'unsupported_value', 'ears'],
  ] as const)('%s refuses %j', async (path, body, code, words) => {
    await expectOllamaError(await post(path, { model: 'vectors', ...body }), code, words);
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
    const senses = { audio: true, image: true, functionCalling: false, reasoning: false };
    const { app } = buildApp({}, { catalog: fakeCatalog([fakeModel('senses', { capabilities: senses })]) });
    const seeing = await app.request(...jsonRequest('/api/show', { model: 'senses' }));
    expect(await seeing.json()).toMatchObject({ capabilities: ['completion', 'vision', 'audio'] });
    await expectOllamaError(await post('/api/show', { model: 'none' }), 'model_not_found', 'none');
    await expectOllamaError(await post('/api/show', {}), 'missing_required_parameter', 'model');
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
    await expectOllamaError(await service.app.request('/api/tags'), 'missing_api_key', 'API key');
    await expectOllamaError(await get('/api/none'), 'not_found', '/api/none');
    await expectOllamaError(await get('/api/chat'), 'method_not_allowed', 'POST');
    await expectOllamaError(await post('/api/chat', '{'), 'invalid_json', 'JSON');
    await expectOllamaError(await post('/api/pull', { model: 'x' }), 'insufficient_permissions', 'admin key');
    service.limiter.refuse = new AppError('rate_limit_exceeded', 'Wait 3 s.', { retryAfterSeconds: 3 });
    const refused = await post('/api/chat', { model, messages });
    expect(refused.headers.get('retry-after')).toBe('3');
    await expectOllamaError(refused, 'rate_limit_exceeded', 'Wait');
  });

  it('do not include the type that curl sends', async () => {
    const init = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect((await post('/api/chat', JSON.stringify({ model, messages }), init)).status).toBe(200);
    const text = { headers: { 'content-type': 'text/plain' } };
    await expectOllamaError(await post('/api/chat', '{}', text), 'unsupported_media_type', 'JSON');
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
    ['a proxy that tells its own name only', { 'x-forwarded-proto': 'https' }],
    ['a proxy that tells the client only', { 'true-client-ip': '203.0.113.9' }],
    ['a page of another site that sends no origin', { 'sec-fetch-site': 'cross-site' }],
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
    await expectOllamaError(response, 'invalid_api_key', 'ollamaKey');
  });

  it.each([
    ['192.0.2.7', 'localhost'],
    ['127.0.0.1', 'evil.example'],
  ])('is not one at %s that asks for %s', async (remoteAddress, host) => {
    const { app } = buildApp({ ollamaKey: 'key-of-yz12' });
    const response = await app.request('/api/version', { headers: { host } }, { incoming: { socket: { remoteAddress } } });
    await expectOllamaError(response, 'missing_api_key', 'API key');
  }); // prettier-ignore
});
