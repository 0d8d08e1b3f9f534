import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/wire/error-envelope.ts';
import { fakeCatalog, fakeModel } from '../support/fakes/fake-services.ts';
import { buildApp, jsonRequest, limitedKey, listen, userKey } from '../support/fakes/http-service.ts';
import type { Service } from '../support/fakes/http-service.ts';

let service: Service;
beforeAll(async () => {
  service = await listen();
});
afterAll(() => service.close());

const get = (path: string, init: RequestInit = {}) =>
  fetch(service.origin + path, { headers: { authorization: `Bearer ${userKey}` }, ...init });

describe('GET /v1/models', () => {
  it('lists every model with the specified fields first', async () => {
    const { object, data } = (await (await get('/v1/models')).json()) as { object: string; data: object[] };
    expect(object).toBe('list');
    expect(Object.keys(data[0] ?? {}).slice(0, 6)).toEqual(
      ['id', 'object', 'created', 'owned_by', 'parameters_number', 'capabilities'],
    ); // prettier-ignore
    expect(data[0]).toEqual({
      id: 'tiny',
      object: 'model',
      created: 1_790_000_000,
      owned_by: 'tests',
      parameters_number: '135M',
      capabilities: { supports_audio: false, supports_image: false, supports_function_calling: false },
      context_window: 2048,
      context_length: 2048,
      max_model_len: 2048,
      meta: { n_ctx: 2048, n_ctx_train: 2048 },
      top_provider: { context_length: 2048 },
      quantization: 'Q8_0',
      aliases: ['gpt-4o-mini'],
      state: 'available',
      tool_format: null,
      supports_reasoning: false,
      reasoning_efforts: null,
      supports_speech_output: false,
      size_bytes: 1_000_000,
      runs_elsewhere: false,
      support_chat_completion: true,
      supports_responses: true,
      kind: 'chat',
      info: { compressed: true, id: 'hidden' },
    });
  });

  it('tells which models are in memory', async () => {
    service.engine.states.set('tiny', 'loaded').set('org/slashed', 'loading');
    const { data } = await service.client.models.list();
    const states = Object.fromEntries(data.map((model) => [model.id, (model as { state?: string }).state]));
    expect(states).toMatchObject({ tiny: 'loaded', 'org/slashed': 'available' });
  });
});

describe('the tokens that a request can have', () => {
  const configured = { ...fakeModel('x').settings, contextTokens: 4096 };
  it.each([
    { case: 'as loaded, if that is less', status: { contextTokens: 512 }, expected: 512 },
    { case: 'as loaded, whatever is configured', status: { contextTokens: 1024 }, settings: configured, expected: 1024 },
    { case: 'as configured', status: { nextContextTokens: 256 }, settings: configured, expected: 4096 },
    { case: 'as it would be loaded', status: { nextContextTokens: 768 }, expected: 768 },
    { case: 'as trained', status: {}, expected: 2048 },
    { case: 'unknown', status: {}, trained: 0, expected: undefined },
  ])('are told in the words of every vendor: $case', async ({ status, settings, trained = 2048, expected }) => {
    const changes = { trainContextTokens: trained, ...(settings && { settings }) };
    const models = { state: () => 'available' as const, status: () => ({ state: 'available' as const, ...status }), findContexts: async () => undefined };
    const { app } = buildApp({}, { models, catalog: fakeCatalog([fakeModel('x', changes)]) });
    const json = async (headers: Record<string, string> = {}): Promise<unknown> => {
      const all = { authorization: `Bearer ${userKey}`, ...headers };
      return (await app.request('/v1/models/x', { headers: all })).json();
    };
    const tokens = expected ?? null;
    expect(await json()).toMatchObject({
      context_window: tokens, context_length: tokens, max_model_len: tokens,
      meta: { n_ctx: tokens, n_ctx_train: trained || null }, top_provider: { context_length: tokens },
    });
    expect(await json({ 'anthropic-version': '2023-06-01' })).toMatchObject({ max_input_tokens: tokens, max_tokens: tokens });
    const shown = (await (await app.request(...jsonRequest('/api/show', { model: 'x' }))).json()) as { parameters: string; model_info: object };
    expect(shown.parameters).toBe(expected === undefined ? '' : `num_ctx ${expected}`);
    expect((shown.model_info as Record<string, unknown>)['llama.context_length']).toBe(expected);
  });
}); // prettier-ignore

describe('a model that can reason', () => {
  interface WireModel {
    readonly id: string;
    readonly aliases: readonly string[];
  }

  it('is also listed as <id>-r, right after its own id', async () => {
    const { data } = (await (await get('/v1/models')).json()) as { data: WireModel[] };
    const ids = data.map(({ id }) => id);
    expect(ids.filter((id) => id.endsWith('-r'))).toEqual(['native-r', 'thinker-r']);
    expect(ids.indexOf('thinker-r')).toBe(ids.indexOf('thinker') + 1);
    const [plain, variant] = data.filter(({ id }) => id.startsWith('thinker'));
    expect(plain).toMatchObject({
      aliases: ['o4-mini'],
      capabilities: { supports_function_calling: true },
      tool_format: 'native',
    });
    expect(variant).toEqual({ ...plain, id: 'thinker-r', aliases: ['o4-mini-r'] });
  });

  it.each(['thinker-r', 'o4-mini-r'])('is found as %s', async (id) => {
    expect(await (await get(`/v1/models/${id}`)).json()).toMatchObject({ id, aliases: ['o4-mini-r'] });
  });

  it.each(['thinker-r-r', 'ears-r', 'native-r-r', '-r'])('is not found as %s', async (id) => {
    await expectError(await get(`/v1/models/${id}`), 'model_not_found', 'model');
  });

  it('is refused under both ids to a key that may not use it', async () => {
    for (const id of ['thinker', 'thinker-r']) {
      const response = await get(`/v1/models/${id}`, { headers: { authorization: `Bearer ${limitedKey}` } });
      await expectError(response, 'insufficient_permissions', 'model');
    }
  });
});

describe('GET /v1/models/{id}', () => {
  it.each([
    { path: 'tiny', id: 'tiny' },
    { path: 'org/slashed', id: 'org/slashed' },
    { path: 'org%2Fslashed', id: 'org/slashed' },
    { path: 'gpt-4o-mini', id: 'gpt-4o-mini' },
    { path: 'ears', id: 'ears' },
  ])('finds $path', async ({ path, id }) => {
    const response = await get(`/v1/models/${path}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id, object: 'model' });
  });

  it('is what the openai client retrieves', async () => {
    expect(await service.client.models.retrieve('org/slashed')).toMatchObject({ parameters_number: '8.03B' });
  });

  it.each(['tinny', 'tiny-r', '%E0%A4%A', 'tiny/', '%2e%2e%2fetc', 'constructor'])(
    'answers 404 to %s',
    async (path) => {
      await expectError(await get(`/v1/models/${path}`), 'model_not_found', 'model');
    },
  );

  it('names the nearest ids', async () => {
    expect(await expectError(await get('/v1/models/tinny'), 'model_not_found')).toContain("'tiny'");
  });
});

describe('paths and methods that do not exist', () => {
  it.each([
    // Browsers get the page there, and curl a few lines of text.
    { method: 'GET', path: '/', headers: { accept: 'application/json' } },
    { method: 'GET', path: '/favicon.ico' },
    { method: 'GET', path: '/v1' },
    { method: 'POST', path: '/v1/embeddingz' },
    { method: 'GET', path: '/v1/models/' },
    { method: 'GET', path: '/V1/models' },
  ])('$method $path is not found', async ({ path, ...init }) => {
    await expectError(await get(path, init), 'not_found', null);
  });

  it.each([
    { method: 'POST', path: '/v1/models', allow: 'GET, HEAD' },
    { method: 'DELETE', path: '/v1/models/org/slashed', allow: 'GET, HEAD' },
    { method: 'GET', path: '/v1/chat/completions', allow: 'POST' },
    { method: 'PATCH', path: '/v1/chat/completions', allow: 'POST' },
    { method: 'OPTIONS', path: '/v1/chat/completions', allow: 'POST' },
    { method: 'POST', path: '/healthz', allow: 'GET, HEAD' },
  ])('$method $path is not allowed', async ({ method, path, allow }) => {
    const response = await get(path, { method });
    await expectError(response, 'method_not_allowed', null);
    expect(response.headers.get('allow')).toBe(allow);
  });

  it('HEAD has the headers of GET and no body', async () => {
    const response = await get('/v1/models', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

describe('a client of Anthropic', () => {
  const { app } = buildApp();
  const ask = async (path: string, headers: Record<string, string> = {}) =>
    await app.request(path, {
      headers: { 'x-api-key': userKey, 'anthropic-version': '2023-06-01', ...headers },
    });
  const thinker = {
    type: 'model',
    id: 'thinker',
    display_name: 'thinker',
    created_at: '2026-09-21T14:13:20.000Z',
    max_input_tokens: 2048,
    max_tokens: 2048,
    capabilities: null,
    lifecycle: 'active',
    deprecated_at: null,
    line: null,
  };

  it('lists the models that can write, in the shape that it knows', async () => {
    const response = await ask('/v1/models?limit=1000');
    expect(response.headers.get('request-id')).toBe(response.headers.get('x-request-id'));
    const page = (await response.json()) as { data: { id: string }[] };
    expect(page).toMatchObject({ has_more: false, first_id: 'tiny', last_id: 'thinker-r' });
    expect(page.data).toContainEqual(thinker);
    expect(page.data.map(({ id }) => id)).not.toContain('ears');
  });

  it('looks one up, and reads errors', async () => {
    expect(await (await ask('/v1/models/o4-mini')).json()).toEqual({
      ...thinker,
      id: 'o4-mini',
      display_name: 'o4-mini',
    });
    await expectError(await ask('/v1/models/nope'), 'model_not_found');
    await expectError(await ask('/v1/models', { 'x-api-key': 'wrong' }), 'invalid_api_key');
  });
});
