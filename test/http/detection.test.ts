import { describe, expect, it } from 'vitest';
import { fakeCatalog, fakeModel } from '../support/fakes/fake-services.ts';
import { buildApp, userKey } from '../support/fakes/http-service.ts';

const model = 'org/eyes';
const contextTokens = 640;

/** Facts that a client finds out; undefined: it does not look for them. */
interface Found {
  readonly context: unknown;
  readonly vision?: boolean;
  readonly tools?: boolean;
  readonly infill?: boolean;
}

type Json = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- clients check no types either
type Ask = (path: string, body?: object, headers?: Record<string, string>) => Promise<Json>;

const byId = (list: readonly Json[], name = 'id', id = model): Json =>
  list.find((each) => each[name] === id) ?? {};

/** How clients find out a model's context and abilities, by the names and in the order in which their sources look. */
const clients: Readonly<Record<string, (ask: Ask) => Promise<Found>>> = {
  'Hermes, which takes it for LM Studio': async (ask) => {
    const { models } = await ask('/api/v1/models');
    const [instance] = byId(models, 'key')['loaded_instances'];
    return {
      context: instance?.config.context_length ?? (await ask(`/v1/models/${model}`))['max_model_len'],
    };
  },
  'OpenClaw, which takes it for Ollama': async (ask) => {
    const { models } = await ask('/api/tags');
    const { name } = models.find((each: Json) => each['name'].startsWith(model));
    const { model_info, capabilities } = await ask('/api/show', { name });
    const [, context] = Object.entries(model_info).find(([key]) => key.endsWith('.context_length')) ?? [];
    return { context, vision: capabilities.includes('vision') };
  },
  'LiteLLM’s provider for Ollama': async (ask) => {
    const { model_info, template } = await ask('/api/show', { name: model });
    const [, context] = Object.entries(model_info).find(([key]) => key.includes('context_length')) ?? [];
    return { context, tools: template.toLowerCase().includes('tools') };
  },
  'VS Code’s provider for Ollama': async (ask) => {
    const { model_info, capabilities } = await ask('/api/show', { model });
    const context = model_info[`${model_info['general.architecture']}.context_length`];
    return { context, vision: capabilities.includes('vision'), tools: capabilities.includes('tools') };
  },
  'Continue’s provider for Ollama': async (ask) => {
    const { parameters, template } = await ask('/api/show', { name: model });
    const line = parameters.split('\n').find((each: string) => each.startsWith('num_ctx'));
    return { context: Number(/\d+/.exec(line)?.[0]), infill: template.includes('.Suffix') };
  },
  'Open WebUI, of a model in Ollama’s memory': async (ask) => ({
    context: byId((await ask('/api/ps'))['models'], 'name', `${model}:latest`)['context_length'],
  }),
  'Cline’s provider for LM Studio': async (ask) => {
    const { loaded_context_length, max_context_length, type } = byId((await ask('/api/v0/models'))['data']);
    return { context: loaded_context_length || max_context_length, vision: type === 'vlm' };
  },
  'opencode’s and Zed’s providers for LM Studio': async (ask) => {
    const { max_context_length, capabilities, type } = await ask(`/api/v0/models/${model}`);
    return { context: max_context_length, vision: type === 'vlm', tools: capabilities.includes('tool_use') };
  },
  'llama-vscode, which takes it for llama-server': async (ask) => {
    const { default_generation_settings, modalities } = await ask(`/props?model=${model}`);
    return { context: default_generation_settings.n_ctx, vision: modalities.vision };
  },
  'llama-server’s own page': async (ask) => ({
    context: byId((await ask('/v1/models'))['data'])['meta'].n_ctx,
  }),
  'clients of vLLM': async (ask) => ({ context: byId((await ask('/v1/models'))['data'])['max_model_len'] }),
  'clients of OpenRouter': async (ask) => {
    const { context_length, top_provider } = byId((await ask('/v1/models'))['data']);
    return { context: context_length === top_provider.context_length ? context_length : undefined };
  },
  'clients of Anthropic’s API': async (ask) => {
    const { data } = await ask('/v1/models?limit=1000', undefined, { 'anthropic-version': '2023-06-01' });
    return { context: byId(data)['max_input_tokens'] };
  },
};

const abilities = { vision: true, tools: true, infill: true };
const senses = { audio: false, image: true, functionCalling: true, reasoning: false, infill: true };
const able = fakeModel(model, { capabilities: senses });
const plain = fakeModel(model, {
  capabilities: { audio: false, image: false, functionCalling: false, reasoning: false },
});

describe.each([
  ['in memory', able, 'loaded', abilities],
  ['that is not loaded', able, 'available', abilities],
  ['without abilities', plain, 'loaded', { vision: false, tools: false, infill: false }],
] as const)('what a model %s holds and can', (_title, served, state, can) => {
  const models = {
    state: () => state,
    status: () => ({ state, contextTokens, slots: 2 }),
    findNeeds: async () => undefined,
  };
  const { app } = buildApp({}, { models, catalog: fakeCatalog([served]) });
  const ask: Ask = async (path, body, more) => {
    const headers = { authorization: `Bearer ${userKey}`, ...more };
    const response = await app.request(
      path,
      body === undefined
        ? { headers }
        : {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          },
    );
    expect(response.status, path).toBe(200);
    return (await response.json()) as Json;
  };

  const looking = Object.entries(clients).filter(([name]) => state === 'loaded' || !name.includes('memory'));
  it.each(looking)('is found out by %s', async (_name, detect) => {
    const found = await detect(ask);
    const expected: Json = { ...can, context: contextTokens };
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, expected[name]])));
  });
});
