import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/wire/error-envelope.ts';
import { fakeCatalog, fakeModel } from '../support/fakes/fake-services.ts';
import { buildApp, jsonRequest, limitedKey, listen, userKey } from '../support/fakes/http-service.ts';
import type { Service } from '../support/fakes/http-service.ts';
import type { CatalogModel } from '../../src/catalog/types.ts';
import type { ModelStatus } from '../../src/engine/pool/model-status.ts';
import { noMemory } from '../../src/engine/pool/memory-use.ts';

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
      upstream_label: null,
      last_answer_failed: false,
      runs_on: {
        ram_bytes: 700,
        gpus: [{ name: 'GPU', bytes: 300 }],
        layers: null,
        gpu_layers: null,
        expert_layers: null,
        draft_heads: null,
      },
      support_chat_completion: true,
      supports_responses: true,
      kind: 'chat',
      prices: { input_tokens: 0.5, output_tokens: 2 },
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
    { case: 'as configured', status: { next: { memory: noMemory, contextTokens: 256 } }, settings: configured, expected: 4096 },
    { case: 'as it would be loaded', status: { next: { memory: noMemory, contextTokens: 768 } }, expected: 768 },
    { case: 'as trained', status: {}, expected: 2048 },
    { case: 'unknown', status: {}, trained: 0, expected: undefined },
  ])('are told in the words of every vendor: $case', async ({ status, settings, trained = 2048, expected }) => {
    const changes = { trainContextTokens: trained, ...(settings && { settings }) };
    const models = { state: () => 'available' as const, status: () => ({ state: 'available' as const, ...status }), findNeeds: async () => undefined };
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
    const other = async (path: string) => (await app.request(path, { headers: { authorization: `Bearer ${userKey}` } })).json();
    const least = expected ?? 0;
    expect(await other('/props')).toMatchObject({ default_generation_settings: { n_ctx: least }, total_slots: 4 });
    expect(await other('/slots?model=x')).toContainEqual({ id: 3, n_ctx: least, is_processing: false });
    expect(await other('/api/v0/models')).toMatchObject({ data: [{ id: 'x', state: 'not-loaded', max_context_length: least }] });
    expect(await other('/api/v1/models')).toMatchObject({ models: [{ key: 'x', max_context_length: least, loaded_instances: [] }] });
    expect(await other('/api/tags')).toMatchObject({ models: [{ model: 'x:latest', context_length: least }] });
  });
}); // prettier-ignore

it('tells where a model runs, or would', async () => {
  const two = { memory: { ramBytes: 9, vramBytes: 5, gpus: { Large: 3, Small: 2 } }, place: { layers: 4, gpuLayers: 4, expertLayers: 1 } };
  const one = { memory: { ramBytes: 8, vramBytes: 0, gpus: { Large: 0 } }, place: { layers: 4, gpuLayers: 0, expertLayers: 0 } };
  const told = async (status: Partial<ModelStatus>) => {
    const models = { state: () => 'available' as const, status: () => ({ state: 'available' as const, ...status }), findNeeds: async () => undefined };
    const { app } = buildApp({}, { models, catalog: fakeCatalog([fakeModel('x')]) });
    const answer = await app.request('/v1/models/x', { headers: { authorization: `Bearer ${userKey}` } });
    return ((await answer.json()) as { runs_on: unknown }).runs_on;
  };
  const onTwo = { ram_bytes: 9, gpus: [{ name: 'Large', bytes: 3 }, { name: 'Small', bytes: 2 }], layers: 4, gpu_layers: 4, expert_layers: 1, draft_heads: false };
  expect(await told({})).toBe(null);
  expect(await told({ next: two })).toEqual(onTwo);
  expect(await told({ ...two, next: one })).toEqual(onTwo);
  expect(await told({ ...one, next: two })).toEqual({ ram_bytes: 8, gpus: [{ name: 'Large', bytes: 0 }], layers: 4, gpu_layers: 0, expert_layers: 0, draft_heads: false });
  expect(await told({ memory: noMemory, addresses: [] })).toBe(null);
}); // prettier-ignore

describe('as other servers show it, a model', () => {
  const senses = { audio: true, image: true, functionCalling: true, reasoning: true };
  const eyes = fakeModel('org/eyes', { aliases: ['gpt-4o'], capabilities: senses, chatTemplate: () => '{{ messages }}' });
  const catalog = fakeCatalog([fakeModel('vectors', { kind: 'embedding' }), fakeModel('ears', { kind: 'speech' }), fakeModel('blind'), eyes]);
  const models = {
    state: (id: string) => (id === 'org/eyes' ? ('loaded' as const) : ('available' as const)),
    status: (id: string) => ({ state: models.state(id), ...(id === 'org/eyes' && { contextTokens: 640, slots: 2, busySlots: 1 }) }),
    findNeeds: async () => undefined,
  };
  const { app } = buildApp({}, { models, catalog });
  const ask = (path: string, key = userKey) => app.request(path, { headers: { authorization: `Bearer ${key}` } });
  const json = async (path: string) => (await ask(path)).json();

  it('tells llama-server’s facts, and no path: of the one in memory, or the one that is named', async () => {
    const props = {
      default_generation_settings: { n_ctx: 640 }, total_slots: 2, model_alias: 'org/eyes', model_path: 'org/eyes',
      modalities: { vision: true, audio: true }, chat_template: '{{ messages }}', build_info: expect.stringMatching(/^hearth-/) as string,
    };
    expect(await json('/props')).toEqual(props);
    expect(await json('/props?model=gpt-4o')).toEqual({ ...props, model_alias: 'gpt-4o', model_path: 'gpt-4o' });
    expect(await json('/props?model=vectors')).toMatchObject({ modalities: { vision: false, audio: false }, chat_template: '' });
    expect(await json('/slots')).toEqual([{ id: 0, n_ctx: 640, is_processing: true }, { id: 1, n_ctx: 640, is_processing: false }]);
  });

  it('is one of this machine where none is named, though one elsewhere comes first and answers', async () => {
    const upstream = { urls: ['http://127.0.0.1:9/v1'], model: 'a', kind: 'chat' } as unknown as CatalogModel['upstream'];
    const elsewhere = fakeModel('elsewhere', { upstream });
    const nameOf = async (served: readonly CatalogModel[], state: 'loaded' | 'available') => {
      const memory = { state: () => state, status: () => ({ state }), findNeeds: async () => undefined };
      const answer = await buildApp({}, { models: memory, catalog: fakeCatalog(served) }).app.request('/props', { headers: { authorization: `Bearer ${userKey}` } });
      return ((await answer.json()) as { model_alias: string }).model_alias;
    };
    expect(await nameOf([elsewhere, fakeModel('own')], 'loaded')).toBe('own');
    expect(await nameOf([elsewhere, fakeModel('own')], 'available')).toBe('own');
    expect(await nameOf([elsewhere], 'loaded')).toBe('elsewhere');
  });

  it('tells what a server elsewhere is called, and neither its address nor its key', async () => {
    const upstream = { urls: ['http://127.0.0.1:9/v1'], model: 'theirs', label: 'Lab', apiKey: { origin: 'the file lab.key', read: () => 'sk-lab' }, timeoutMs: 1 };
    const lists = fakeCatalog([fakeModel('far', { upstream }), fakeModel('other', { upstream: { ...upstream, label: undefined } })]);
    const text = await (await buildApp({}, { catalog: lists }).app.request('/v1/models', { headers: { authorization: `Bearer ${userKey}` } })).text();
    expect((JSON.parse(text) as { data: object[] }).data).toMatchObject([{ id: 'far', runs_elsewhere: true, upstream_label: 'Lab' }, { id: 'other', upstream_label: null }]);
    expect(text).not.toMatch(/127\.0\.0\.1|theirs|sk-lab|lab\.key/);
  });

  it('tells that a model failed when it was last asked, where all servers that run it did', async () => {
    const told = async (...failing: readonly boolean[]) => {
      const addresses = failing.map((isFailing) => ({ url: 'http://127.0.0.1:9/v1', state: 'up' as const, inFlight: 0, requests: 1, errors: 1, isFailing }));
      const memory = { state: () => 'loaded' as const, status: () => ({ state: 'loaded' as const, addresses }), findNeeds: async () => undefined };
      const answer = await buildApp({}, { models: memory, catalog: fakeCatalog([fakeModel('x')]) }).app.request('/v1/models/x', { headers: { authorization: `Bearer ${userKey}` } });
      return ((await answer.json()) as { last_answer_failed: boolean }).last_answer_failed;
    };
    expect([await told(), await told(true, false), await told(true, true)]).toEqual([false, false, true]);
  });

  it('tells LM Studio’s facts', async () => {
    const shown = {
      id: 'org/eyes', object: 'model', type: 'vlm', publisher: 'tests', arch: 'llama', compatibility_type: 'gguf',
      quantization: 'Q8_0', state: 'loaded', max_context_length: 640, loaded_context_length: 640, capabilities: ['tool_use'],
    };
    expect(await json('/api/v0/models/org/eyes')).toEqual(shown);
    const { data } = (await json('/api/v0/models')) as { data: { id: string; type: string }[] };
    expect(data.map(({ id, type }) => [id, type])).toEqual([['vectors', 'embeddings'], ['blind', 'llm'], ['org/eyes', 'vlm']]);
    expect(await json('/api/v1/models')).toMatchObject({
      models: [{ key: 'vectors', type: 'embedding' }, { key: 'blind', loaded_instances: [] }, {
        key: 'org/eyes', type: 'llm', quantization: { name: 'Q8_0', bits_per_weight: 8 }, params_string: '135M',
        loaded_instances: [{ id: 'org/eyes', config: { context_length: 640 } }], capabilities: { vision: true, trained_for_tool_use: true },
      }],
    });
  });

  it('is nothing that reads no texts, and nothing without a key that may use it', async () => {
    for (const path of ['/props?model=none', '/slots?model=none']) await expectError(await ask(path), 'model_not_found', 'model');
    for (const path of ['/props?model=ears', '/slots?model=ears']) await expectError(await ask(path), 'unsupported_value', 'model');
    for (const path of ['/props?model=blind', '/slots?model=blind']) await expectError(await ask(path, limitedKey), 'insufficient_permissions', 'model');
    for (const path of ['/props', '/slots']) {
      await expectError(await app.request(path), 'missing_api_key');
      await expectError(await ask(path, limitedKey), 'model_not_found', 'model');
    }
    for (const path of ['/api/v0/models', '/api/v0/models/blind', '/api/v1/models']) expect((await app.request(path)).status).toBe(401);
    expect((await ask('/api/v0/models/ears')).status).toBe(400);
    expect(await (await ask('/api/v1/models', limitedKey)).json()).toEqual({ models: [] });
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
