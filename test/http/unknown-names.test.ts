import { describe, expect, it } from 'vitest';
import { operations } from '../../src/api/openapi/operations.ts';
import { buildApp, jsonRequest } from '../support/fakes/http-service.ts';
import { listenWithStore } from '../support/fakes/responses-service.ts';

const user = { role: 'user', content: 'Hi' };
const object = { type: 'object' };
const json_schema = { name: 'n', schema: object };
const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
const result = { role: 'tool', tool_call_id: 'c', content: 'r' };

/** A request of each dialect with a place in it, as the change that puts a name there. */
type Place = readonly [path: string, at: (names: object) => object];

const chat: readonly Place[] = [
  ['', (names) => names],
  ['messages[0]', (names) => ({ messages: [{ ...user, ...names }] })],
  ['messages[0].content[0]', (names) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...names }] }] })],
  ['messages[1].tool_calls[0].function', (names) => ({ messages: [user, { role: 'assistant', tool_calls: [{ ...call, function: { ...call.function, ...names } }] }, result] })],
  ['tools[0]', (names) => ({ tools: [{ type: 'function', function: { name: 'f' }, ...names }] })],
  ['tools[1].function', (names) => ({ tools: [{ type: 'web_search', size: 1 }, { type: 'function', function: { name: 'f', ...names } }] })],
  ['tools[0].custom.format.grammar', (names) => ({ tools: [{ type: 'custom', custom: { name: 'f', format: { type: 'grammar', grammar: { syntax: 'regex', definition: 'a', ...names } } } }] })],
  ['tool_choice.function', (names) => ({ tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: { type: 'function', function: { name: 'f', ...names } } })],
  ['response_format.json_schema', (names) => ({ response_format: { type: 'json_schema', json_schema: { ...json_schema, ...names } } })],
  ['stream_options', (names) => ({ stream: true, stream_options: names })],
  ['reasoning', (names) => ({ reasoning: names })],
]; // prettier-ignore

const messages: readonly Place[] = [
  ['', (names) => names],
  ['messages[0]', (names) => ({ messages: [{ ...user, ...names }] })],
  ['messages[0].content[0].source', (names) => ({ messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'text', data: 'a', ...names } }] }] })],
  ['system[0]', (names) => ({ system: [{ type: 'text', text: 'a', ...names }] })],
  ['tools[0]', (names) => ({ tools: [{ name: 'f', input_schema: object, ...names }] })],
  ['tool_choice', (names) => ({ tools: [{ name: 'f', input_schema: object }], tool_choice: { type: 'auto', ...names } })],
  ['thinking', (names) => ({ thinking: { type: 'disabled', ...names } })],
  ['output_config', (names) => ({ output_config: names })],
  ['output_config.format', (names) => ({ output_config: { format: { type: 'json_schema', schema: object, ...names } } })],
]; // prettier-ignore

const responses: readonly Place[] = [
  ['', (names) => names],
  ['input[0]', (names) => ({ input: [{ ...user, ...names }] })],
  ['input[0].content[0]', (names) => ({ input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi', ...names }] }] })],
  ['input[1]', (names) => ({ input: [{ type: 'message', ...user }, { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}', ...names }, { type: 'function_call_output', call_id: 'c', output: 'r' }] })],
  ['tools[0]', (names) => ({ tools: [{ type: 'function', name: 'f', ...names }] })],
  ['tools[0].tools[0]', (names) => ({ tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'f', ...names }] }] })],
  ['text', (names) => ({ text: names })],
  ['text.format', (names) => ({ text: { format: { type: 'json_schema', ...json_schema, ...names } } })],
  ['reasoning', (names) => ({ reasoning: names })],
]; // prettier-ignore

const ollama: readonly Place[] = [
  ['', (names) => names],
  ['messages[0]', (names) => ({ messages: [{ ...user, ...names }] })],
  ['tools[0].function', (names) => ({ tools: [{ type: 'function', function: { name: 'f', ...names } }] })],
  ['options', (names) => ({ options: names })],
]; // prettier-ignore

const vectors: readonly Place[] = [
  ['', (names) => names],
  ['options', (names) => ({ options: names })],
];

/** A slip of a name that each place knows. */
const slips: Readonly<Record<string, string>> = {
  'messages[0]': 'contnt',
  'messages[0].content[0]': 'txet',
  'messages[0].content[0].source': 'dta',
  'messages[1].tool_calls[0].function': 'argumnets',
  'system[0]': 'txet',
  'input[0]': 'contnt',
  'input[0].content[0]': 'txet',
  'input[1]': 'argumnets',
  'tools[0]': 'tpye',
  'tools[0].tools[0]': 'paramters',
  'tools[1].function': 'paramters',
  'tools[0].function': 'paramters',
  'tools[0].custom.format.grammar': 'sintax',
  'tool_choice.function': 'nme',
  tool_choice: 'tpye',
  'response_format.json_schema': 'strct',
  stream_options: 'include_usge',
  reasoning: 'efort',
  thinking: 'tpye',
  text: 'fromat',
  'text.format': 'strct',
  output_config: 'efort',
  'output_config.format': 'shcema',
  options: 'temprature',
  '': 'modle',
};

const service = buildApp();
const kept = await listenWithStore();
const post = async (path: string, body: object): Promise<Response> =>
  service.app.request(...jsonRequest(path, body));

const dialects = [
  { dialect: 'chat completions', places: chat, send: (body: object) => post('/v1/chat/completions', { model: 'tiny', messages: [user], ...body }) },
  { dialect: 'messages', places: messages, send: (body: object) => post('/v1/messages', { model: 'tiny', max_tokens: 9, messages: [user], ...body }) },
  { dialect: 'responses', places: responses, send: (body: object) => kept.post({ input: 'Hi', ...body }) },
  { dialect: "Ollama's vectors", places: vectors, send: (body: object) => post('/api/embed', { model: 'tiny', input: 'Hi', ...body }) },
  { dialect: "Ollama's older vectors", places: vectors, send: (body: object) => post('/api/embeddings', { model: 'tiny', prompt: 'Hi', ...body }) },
  { dialect: "Ollama's chat", places: ollama, send: (body: object) => post('/api/chat', { model: 'tiny', messages: [user], ...body }) },
]; // prettier-ignore

describe.each(dialects)('a name in $dialect', ({ places, send }) => {
  it.each(places)('at "%s" that is unknown is named', async (path, at) => {
    const response = await send(at({ quite_another_thing: 1, nothing: null }));
    expect(response.status, await response.clone().text()).toBe(200);
    const named = path === '' ? 'quite_another_thing' : `${path}.quite_another_thing`;
    expect(response.headers.get('x-ignored-parameters')?.split(', ')).toContain(named);
  });

  it.each(places)('at "%s" that is misspelt is refused', async (path, at) => {
    const slip = slips[path] ?? 'none';
    const response = await send(at({ [slip]: 1 }));
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: string | { message: string } };
    expect(typeof error === 'string' ? error : error.message).toContain(
      `'${path === '' ? slip : `${path}.${slip}`}'`,
    );
  });
});

const [anyPath, ownWords] = [/\{\w+\}/, /^\/(?:page\/oidc|mcp)/];
const asked = operations.filter(({ access, path }) => access !== 'admin' && !ownWords.test(path));

it.each(asked)('in the query of $method $path is named', async ({ method, path }) => {
  const [to, init] = jsonRequest(`${path.replace(anyPath, 'none')}?quite_another_thing=1`, {});
  const { authorization } = init.headers as Record<string, string>;
  const bare = { method, headers: { authorization: `${authorization}` } };
  const response = await service.app.request(to, method === 'POST' ? init : bare);
  await response.body?.cancel();
  expect(response.headers.get('x-ignored-parameters')).toBe('quite_another_thing');
});

it('that all items of a list have is named once', async () => {
  const many = Array.from({ length: 300 }, () => ({ ...user, my_own: 1 }));
  const response = await post('/v1/chat/completions', { model: 'tiny', messages: many });
  expect(response.headers.get('x-ignored-parameters')).toBe('messages[0].my_own');
});

it('that stands in what a client may fill as it likes is its own affair', async () => {
  const own = { anything: { goes: 1 }, tmperature: 1 };
  const response = await post('/v1/chat/completions', {
    model: 'tiny',
    messages: [user],
    metadata: own,
    tools: [{ type: 'function', function: { name: 'f', parameters: { ...object, properties: own } } }],
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('x-ignored-parameters')).toBeNull();
});
