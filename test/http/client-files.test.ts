import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { expect, it } from 'vitest';
import { fakeCatalog, fakeModel } from '../support/fakes/fake-services.ts';
import { buildApp, userKey } from '../support/fakes/http-service.ts';

const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');
const environment: Readonly<Record<string, string>> = { HEARTH_API_KEY: userKey };

/** The text of the first block of that language under the heading of a program. */
function blockOf(program: string, language: string): string {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${program}\n`)) ?? '';
  const [, text = ''] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(section) ?? [];
  expect(text, program).not.toBe('');
  return text
    .replaceAll('hk-…', userKey)
    .replaceAll(/\$\{?(\w+)\}?/g, (all, name: string) => environment[name] ?? all);
}

type Json = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- other programs' files

/** A program's request, as it makes it of its file: where it asks, with which key, for which model. */
interface Asked {
  readonly url: string;
  readonly key: string;
  readonly model: string;
}

const chatAt = (base: string) => `${base}/chat/completions`;
const variables = (text: string): Json =>
  Object.fromEntries([...text.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name ?? '', value]));

const programs: Readonly<Record<string, () => Asked>> = {
  'VS Code'() {
    const [{ apiKey, models }] = JSON.parse(blockOf('VS Code', 'json')) as [Json];
    return { url: models[0].url, key: apiKey, model: models[0].id };
  },
  Zed() {
    const { language_models: all } = JSON.parse(blockOf('Zed', 'json')) as Json;
    const [[name, { api_url: base, available_models: models }]] = Object.entries<Json>(all.openai_compatible) as [[string, Json]];
    return { url: chatAt(base), key: environment[`${name.toUpperCase()}_API_KEY`] ?? '', model: models[0].name };
  },
  OpenClaw() {
    const { models, agents } = JSON.parse(blockOf('OpenClaw', 'json')) as Json;
    const [provider = '', model = ''] = String(agents.defaults.model.primary).split('/');
    const { baseUrl, apiKey, models: listed } = models.providers[provider];
    expect(listed.map(({ id }: Json) => id)).toContain(model);
    return { url: chatAt(baseUrl), key: apiKey, model };
  },
  'Hermes Agent'() {
    const { model } = parse(blockOf('Hermes Agent', 'yaml')) as Json;
    return { url: chatAt(model.base_url), key: model.api_key, model: model.default };
  },
  Goose() {
    const set = variables(blockOf('Goose', 'sh'));
    return { url: `${set.OPENAI_HOST}/${set.OPENAI_BASE_PATH}`, key: set.OPENAI_API_KEY, model: set.GOOSE_MODEL };
  },
  LibreChat() {
    const [{ apiKey, baseURL, models }] = (parse(blockOf('LibreChat', 'yaml')) as Json).endpoints.custom;
    return { url: chatAt(baseURL), key: apiKey, model: models.default[0] };
  },
  n8n() {
    const [{ type, data }] = JSON.parse(blockOf('n8n', 'json')) as [Json];
    expect(type).toBe('openAiApi');
    return { url: chatAt(data.url), key: data.apiKey, model: 'qwen3-0.6b' };
  },
  Continue() {
    const [{ apiBase, apiKey, model }] = (parse(blockOf('Continue', 'yaml')) as Json).models;
    return { url: chatAt(apiBase), key: apiKey, model };
  },
  Codex() {
    const set = Object.fromEntries([...blockOf('Codex', 'toml').matchAll(/^(\w+) = "(.*)"$/gm)].map(([, name, value]) => [name, value])) as Json;
    expect(set.wire_api).toBe('responses');
    return { url: `${set.base_url}/responses`, key: environment[set.env_key] ?? '', model: set.model };
  },
  'Open WebUI'() {
    const set = variables(blockOf('Open WebUI', 'sh'));
    return { url: chatAt(set.OPENAI_API_BASE_URL), key: set.OPENAI_API_KEY, model: 'qwen3-0.6b' };
  },
}; // prettier-ignore

const { app } = buildApp({}, { catalog: fakeCatalog([fakeModel('qwen3-0.6b')]) });

it.each(Object.keys(programs))('the file of %s leads to the model', async (name) => {
  const asked = programs[name]?.();
  const { origin, pathname } = new URL(asked?.url ?? '');
  expect(origin).toBe('http://127.0.0.1:8080');
  const prompt = { messages: [{ role: 'user', content: 'Hi' }], input: 'Hi' };
  const response = await app.request(pathname, {
    method: 'POST',
    headers: { authorization: `Bearer ${asked?.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: asked?.model, ...prompt }),
  });
  expect(response.status).toBe(200);
});

it('the addresses for windows have what these programs look for behind them', async () => {
  const headers = { authorization: `Bearer ${userKey}` };
  for (const path of ['/v1/models', '/api/tags'])
    expect((await app.request(path, { headers })).status).toBe(200);
  expect(page).toMatch(/JetBrains.*`http:\/\/127\.0\.0\.1:8080\/v1`/);
  expect(page).toMatch(/Xcode.*`http:\/\/127\.0\.0\.1:8080`/);
});
