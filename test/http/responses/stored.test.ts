import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  deletedResponse,
  itemList,
  response as responseSchema,
} from '../../../src/api/responses/response-schema.ts';
import type { ResponseObject } from '../../../src/api/responses/response-schema.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { readResponseEvents, finalResponse } from '../../support/wire/response-events.ts';
import { colleagueKey, listenWithStore, strangerKey } from '../../support/fakes/responses-service.ts';
import type { ResponsesService } from '../../support/fakes/responses-service.ts';

const dayMs = 24 * 3_600_000;

let service: ResponsesService;
beforeEach(async () => {
  service = await listenWithStore({ jsonBodyLimitBytes: 16 * 1024 });
});
afterEach(() => service.close());

const create = async (body: object, key?: string): Promise<ResponseObject> => {
  const answer = await service.post({ input: 'Hi', ...body }, key === undefined ? {} : { key });
  expect(answer.status).toBe(200);
  return responseSchema.parse(await answer.json());
};
const messages = () => {
  const { prompt } = service.engine.lastCall.request;
  return prompt.kind === 'messages' ? prompt.messages.map(({ role, content }) => [role, content]) : undefined;
};
const answerWith = (text: string) => {
  service.engine.script = { steps: [{ text }] };
};

describe('a stored response', () => {
  it('is refused before anything is computed where the account has no room left, until one is deleted', async () => {
    await service.close();
    service = await listenWithStore({ storedResponsesLimitBytes: 6000 });
    const first = await create({ store: true });
    await create({ store: true });
    const calls = service.engine.calls.length;
    const refused = await service.post({ input: 'Hi', store: true });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { code: 'invalid_value', param: 'store' } });
    expect(service.engine.calls).toHaveLength(calls);
    await create({});
    await create({ store: true }, strangerKey);
    expect((await service.get(first.id, { method: 'DELETE' })).status).toBe(200);
    await create({ store: true });
  });

  it('is there as it was answered, for every key of its account', async () => {
    service.engine.script = {
      steps: [{ reasoning: 'Hm.' }, { text: 'See.' }, { call: 'f' }, { arguments: '{}' }],
      finishReason: 'tool_calls',
    };
    const stored = await create({
      store: true,
      metadata: { a: 'b' },
      include: ['reasoning.encrypted_content'],
    });
    expect(stored.store).toBe(true);
    for (const key of [undefined, colleagueKey]) {
      const answer = await service.get(stored.id, key === undefined ? {} : { key });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual(stored);
    }
  });

  it('is there as soon as its stream has ended', async () => {
    const answer = await service.post({ input: 'Hi', store: true, stream: true });
    const streamed = finalResponse(readResponseEvents(await answer.text()));
    expect(streamed.store).toBe(true);
    expect(await (await service.get(streamed.id)).json()).toEqual(streamed);
  });

  it.each([
    { name: 'another account asks', prepare: () => ({ key: strangerKey }) },
    {
      name: 'it was deleted',
      prepare: async (id: string) => void (await service.get(id, { method: 'DELETE' })),
    },
    { name: 'it has expired', prepare: () => void (service.time.nowMs += 30 * dayMs) },
  ])('is not there when $name, exactly like one that never was', async ({ prepare }) => {
    const { id } = await create({ store: true });
    const init = (await prepare(id)) ?? {};
    const never = `resp_${'x'.repeat(24)}`;
    for (const path of ['', '/input_items']) {
      const error = await expectError(await service.get(id + path, init), 'not_found', null);
      expect(await expectError(await service.get(never + path, init), 'not_found', null)).toBe(error);
    }
    await expectError(await service.get(id, { ...init, method: 'DELETE' }), 'not_found', null);
    const body = { input: 'Hi', previous_response_id: id };
    await expectError(await service.post(body, init), 'previous_response_not_found', 'previous_response_id');
    if ('key' in init) expect((await service.get(id)).status).toBe(200);
  });

  it('is deleted once, with its items', async () => {
    const { id, output } = await create({ store: true });
    const answer = await service.get(id, { method: 'DELETE' });
    expect(deletedResponse.parse(await answer.json())).toEqual({ id, object: 'response', deleted: true });
    await expectError(await service.get(id, { method: 'DELETE' }), 'not_found', null);
    const input = [{ type: 'item_reference', id: output[0]?.id }];
    await expectError(await service.post({ input }), 'not_found', 'input[0].id');
  });

  it.each([undefined, false])('is not there with store: %s', async (store) => {
    const { id, store: told } = await create({ store });
    expect(told).toBe(false);
    await expectError(await service.get(id), 'not_found');
    const body = { input: 'Hi', previous_response_id: id };
    const message = await expectError(
      await service.post(body),
      'previous_response_not_found',
      'previous_response_id',
    );
    expect(message).toContain('"store": true');
    expect(service.limiter.admitted).toHaveLength(1);
  });

  it('is there for the openai client, which may ask to include something', async () => {
    const stored = await create({ store: true });
    const include = ['message.output_text.logprobs', 'reasoning.encrypted_content'] as const;
    const got = await service.client.responses.retrieve(stored.id, { include: [...include] });
    expect(got.output).toEqual(stored.output);
    const items = await service.client.responses.inputItems.list(stored.id, { include: [...include] });
    expect(items.data).toHaveLength(1);
    expect(await service.client.responses.delete(stored.id)).toMatchObject({ deleted: true });
  });

  it('is not metered', async () => {
    const { id } = await create({ store: true });
    for (const path of [id, `${id}/input_items`])
      expect((await service.get(path)).headers.get('x-ratelimit-limit-requests')).toBeNull();
    expect(service.limiter.admitted).toHaveLength(1);
  });

  it('is no response at all where it cannot be stored', async () => {
    service.failToStore(new Error('disk full'));
    await expectError(await service.post({ input: 'Hi', store: true }), 'internal_error');
    const answer = await service.post({ input: 'Hi', store: true, stream: true });
    const failed = finalResponse(readResponseEvents(await answer.text()));
    expect(failed).toMatchObject({ status: 'failed', store: false, output: [{ status: 'completed' }] });
    expect(service.logLines.join('')).toContain('disk full');
  });

  it.each([null, 'auto'])('comes as its events too, from any of them on (summary: %s)', async (summary) => {
    const steps = [
      { reasoning: 'Hm' },
      { text: 'So' },
      { call: 'f' },
      { arguments: '{"a":1}' },
      { call: 'c' },
      { arguments: '{"input":"x"}' },
      { call: 'tool_search' },
      { arguments: '{"query":"q"}' },
    ];
    service.engine.script = { steps, finishReason: 'tool_calls' };
    const tools = [
      { type: 'function', name: 'f' },
      { type: 'custom', name: 'c' },
      { type: 'tool_search', execution: 'client' },
    ];
    const include = ['reasoning.encrypted_content'];
    const whole = await create({ store: true, tools, include, reasoning: { summary } });
    const replay = async (query: string) => {
      const answer = await service.get(`${whole.id}?stream=true${query}`);
      expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      return await answer.text();
    };
    const events = readResponseEvents(await replay(''));
    expect(finalResponse(events)).toEqual(whole);
    const rest = await replay(`&starting_after=${events.length - 2}&include_obfuscation=false`);
    expect(rest).toBe(
      `event: response.completed\ndata: ${JSON.stringify(events.at(-1))}\n\ndata: [DONE]\n\n`,
    );
    expect(await replay('&starting_after=999')).toBe('data: [DONE]\n\n');
    expect(await (await service.get(`${whole.id}?stream=false`)).json()).toEqual(whole);
  });

  it('that was cut off ends as such when it is replayed', async () => {
    service.engine.script = { steps: [{ text: 'So' }], finishReason: 'length' };
    const { id } = await create({ store: true });
    const events = readResponseEvents(await (await service.get(`${id}?stream=true`)).text());
    expect(events.at(-1)?.type).toBe('response.incomplete');
  });

  it.each([
    ['stream=yes', 'invalid_value', 'stream'],
    ['starting_after=3', 'invalid_value', 'starting_after'],
    ['stream=true&starting_after=-1', 'invalid_value', 'starting_after'],
    ['stream=true&include_obfuscation=true', 'unsupported_value', 'include_obfuscation'],
  ] as const)('is not had by %s', async (query, code, param) => {
    const { id } = await create({ store: true });
    await expectError(await service.get(`${id}?${query}`), code, param);
  });

  it('cannot be cancelled', async () => {
    const { id } = await create({ store: true });
    await expectError(await service.get(`${id}/cancel`, { method: 'POST' }), 'unsupported_value');
    await expectError(await service.get('resp_none/cancel', { method: 'POST' }), 'not_found');
    await expectError(await service.get(`${id}/cancel`), 'method_not_allowed');
    expect((await service.get(id)).status).toBe(200);
  });
});

describe('the input items of a stored response', () => {
  const store = async (count: number): Promise<string> => {
    const input = Array.from({ length: count }, (_, index) => ({ role: 'user', content: `${index}` }));
    return (await create({ store: true, input })).id;
  };
  const list = async (id: string, query = '') => {
    const answer = await service.get(`${id}/input_items${query}`);
    expect(answer.status).toBe(200);
    return itemList.parse(await answer.json());
  };
  const texts = ({ data }: Awaited<ReturnType<typeof list>>) =>
    data.map((item) => (item.type === 'message' && item.content[0]?.type === 'input_text' ? item.content[0].text : item.type)); // prettier-ignore

  it('are whole items with ids, newest first', async () => {
    const input = [
      { role: 'user', content: 'a' },
      { type: 'message', role: 'assistant', id: 'msg_mine', content: [{ type: 'output_text', text: 'b' }] },
      { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'c' },
      { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'd' }] },
    ];
    const { id } = await create({ store: true, input, instructions: 'Not an item.' });
    const status = 'completed';
    const anId = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_\\w{24}$`)) as string;
    const { data, ...rest } = await list(id, '?order=asc');
    expect(data).toEqual([
      { type: 'message', id: anId('msg'), status, role: 'user', content: [{ type: 'input_text', text: 'a' }] },
      { type: 'message', id: 'msg_mine', status, role: 'assistant', content: [{ type: 'output_text', text: 'b', annotations: [], logprobs: [] }] },
      { type: 'function_call', id: anId('fc'), call_id: 'call_1', name: 'f', arguments: '{}', status },
      { type: 'function_call_output', id: anId('fco'), call_id: 'call_1', output: 'c', status },
      { type: 'reasoning', id: anId('rs'), summary: [], content: [{ type: 'reasoning_text', text: 'd' }], status },
    ]); // prettier-ignore
    expect(rest).toEqual({ object: 'list', first_id: data[0]?.id, last_id: data[4]?.id, has_more: false });
    expect((await list(id)).data).toEqual(data.toReversed());
  });

  it('come in pages', async () => {
    const id = await store(25);
    const first = await list(id);
    expect(texts(first)).toEqual(Array.from({ length: 20 }, (_, index) => `${24 - index}`));
    expect(first.has_more).toBe(true);
    const second = await list(id, `?after=${first.last_id}`);
    expect(texts(second)).toEqual(['4', '3', '2', '1', '0']);
    expect(second.has_more).toBe(false);
    const some = await list(id, `?order=asc&limit=3&after=${second.last_id}`);
    expect(texts(some)).toEqual(['1', '2', '3']);
    const none = await list(id, `?after=${second.last_id}`);
    expect(none).toEqual({ object: 'list', data: [], first_id: null, last_id: null, has_more: false });
  });

  it('come in pages to the openai client', async () => {
    const id = await store(25);
    const seen: string[] = [];
    for await (const item of service.client.responses.inputItems.list(id, { limit: 10, order: 'asc' }))
      seen.push(item.id ?? '');
    expect(new Set(seen).size).toBe(25);
  });

  it.each([
    { query: 'limit=0', param: 'limit' },
    { query: 'limit=101', param: 'limit' },
    { query: 'limit=1e1', param: 'limit' },
    { query: 'order=up', param: 'order' },
    { query: 'after=msg_unknown', param: 'after' },
    { query: 'limit=1&limit=2', param: 'limit' },
  ])('are not listed for ?$query', async ({ query, param }) => {
    const id = await store(1);
    await expectError(await service.get(`${id}/input_items?${query}`), 'invalid_value', param);
  });
});

describe('a continued response', () => {
  it('sees input and output of all before it, and its own instructions only', async () => {
    answerWith('one');
    const first = await create({ store: true, input: 'a', instructions: 'Old.' });
    answerWith('two');
    const second = await create({ store: true, input: 'b', previous_response_id: first.id });
    expect(second.previous_response_id).toBe(first.id);
    await create({ input: 'c', instructions: 'New.', previous_response_id: second.id });
    expect(messages()).toEqual([
      ['system', 'New.'],
      ['user', 'a'],
      ['assistant', 'one'],
      ['user', 'b'],
      ['assistant', 'two'],
      ['user', 'c'],
    ]);
    const { data } = itemList.parse(await (await service.get(`${second.id}/input_items`)).json());
    expect(data).toHaveLength(1);
  });

  it('can branch', async () => {
    answerWith('one');
    const { id } = await create({ store: true, input: 'a' });
    for (const input of ['b', 'c']) {
      await create({ input, previous_response_id: id, store: true });
      expect(messages()).toEqual([['user', 'a'], ['assistant', 'one'], ['user', input]]); // prettier-ignore
    }
  });

  it('takes the result of a call that came before', async () => {
    service.engine.script = { steps: [{ call: 'f' }, { arguments: '{}' }], finishReason: 'tool_calls' };
    const { id, output } = await create({ store: true, tools: [{ type: 'function', name: 'f' }] });
    const callId = output[0]?.type === 'function_call' ? output[0].call_id : '';
    const result = { type: 'function_call_output', call_id: callId, output: 'done' };
    await create({ input: [result], previous_response_id: id });
    expect(messages()?.at(-1)).toEqual(['tool', 'done']);
    const again = { type: 'function_call', call_id: callId, name: 'f', arguments: '{}' };
    await create({ input: [again, result], previous_response_id: id });
    const { prompt } = service.engine.lastCall.request;
    const toolCalls = [{ id: callId, name: 'f', arguments: '{}' }];
    expect(prompt).toMatchObject({ messages: [{}, { role: 'assistant', toolCalls }, { role: 'tool' }] });
    await expectError(await service.post({ input: [result] }), 'invalid_value', 'input[0].call_id');
  });

  it('fails clearly when one before the last is gone', async () => {
    const first = await create({ store: true });
    const second = await create({ store: true, previous_response_id: first.id });
    await service.get(first.id, { method: 'DELETE' });
    const body = { input: 'Hi', previous_response_id: second.id };
    const message = await expectError(
      await service.post(body),
      'previous_response_not_found',
      'previous_response_id',
    );
    expect(message).toContain("before 'previous_response_id'");
    expect((await service.get(second.id)).status).toBe(200);
  });

  it('is bounded by what a request may have itself', async () => {
    let id: string | undefined;
    const grow = () => service.post({ input: 'x'.repeat(5000), previous_response_id: id, store: true });
    for (let turn = 0; turn < 3; turn++) id = ((await (await grow()).json()) as ResponseObject).id;
    const last = await grow();
    expect(last.status).toBe(200);
    id = ((await last.json()) as ResponseObject).id;
    const message = await expectError(await grow(), 'invalid_value', 'previous_response_id');
    expect(message).toContain('Start a new conversation');
  });
});

describe('a reference to an item', () => {
  const hi = { role: 'user', content: 'Hi' };
  const refer = (id: string | undefined) => ({ type: 'item_reference', id });

  it.each([undefined, true])('stands for an item that was answered with (store: %s)', async (store) => {
    service.engine.script = { steps: [{ reasoning: 'Hm.' }, { text: 'See.' }, { call: 'f' }], finishReason: 'tool_calls' };
    const { output } = await create({ store });
    const [thought, text, call] = output;
    const callId = call?.type === 'function_call' ? call.call_id : '';
    const result = { type: 'function_call_output', call_id: callId, output: 'done' };
    const input = [hi, refer(thought?.id), { id: text?.id }, refer(call?.id), result];
    await create({ input, store: true });
    expect(service.engine.lastCall.request.prompt).toMatchObject({
      messages: [
        { role: 'user' },
        { role: 'assistant', content: 'See.', reasoning: 'Hm.', toolCalls: [{ id: callId, name: 'f' }] },
        { role: 'tool', content: 'done' },
      ],
    });
  }); // prettier-ignore

  it('stands for an item that was asked, where that was stored', async () => {
    const { id } = await create({ store: true, input: 'Secret.' });
    const { data } = itemList.parse(await (await service.get(`${id}/input_items`)).json());
    await create({ input: [refer(data[0]?.id)] });
    expect(messages()).toEqual([['user', 'Secret.']]);
  });

  it.each([undefined, true])('means nothing to another account (store: %s)', async (store) => {
    const { output } = await create({ store });
    const body = { input: [hi, refer(output[0]?.id)] };
    const message = await expectError(await service.post(body, { key: strangerKey }), 'not_found', 'input[1].id');
    const unknown = { input: [hi, refer(`msg_${'x'.repeat(24)}`)] };
    expect(await expectError(await service.post(unknown, { key: strangerKey }), 'not_found', 'input[1].id')).toBe(message);
    expect((await service.post(body, { key: colleagueKey })).status).toBe(200);
  }); // prettier-ignore

  it('means nothing where nothing was to be kept, nor after the hour', async () => {
    const { output } = await create({ store: false });
    await expectError(await service.post({ input: [refer(output[0]?.id)] }), 'not_found', 'input[0].id');
    const { output: later } = await create({});
    service.time.nowMs += 3_600_000;
    await expectError(await service.post({ input: [refer(later[0]?.id)] }), 'not_found', 'input[0].id');
  });

  it('is bounded like a continued response', async () => {
    const { id } = await create({ store: true, input: 'x'.repeat(9000) });
    const { data } = itemList.parse(await (await service.get(`${id}/input_items`)).json());
    const input = [refer(data[0]?.id), refer(data[0]?.id)];
    await expectError(await service.post({ input }), 'invalid_value', 'input');
  });
});
