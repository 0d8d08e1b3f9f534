import { beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../../src/api/messages/operation.ts';
import type { ChatMessage, GenerationRequest } from '../../../src/engine/types.ts';
import type { Script } from '../../support/fakes/fake-engine.ts';
import { buildApp, jsonRequest } from '../../support/fakes/http-service.ts';
import { expectAnthropicError, helloMessage, messageRequest } from '../../support/wire/messages.ts';

let service: ReturnType<typeof buildApp>;
beforeEach(() => {
  service = buildApp();
});

async function ask(changes: object = {}, path = '/v1/messages'): Promise<Response> {
  const response = await service.app.request(...messageRequest(changes, { path }));
  expect(response.status, await response.clone().text()).toBe(200);
  return response;
}

const answer = async (changes: object = {}) => (await (await ask(changes)).json()) as Message;

/** The engine's request for a message with these changes. */
async function asked(changes: object): Promise<GenerationRequest> {
  await ask(changes);
  return service.engine.lastCall.request;
}

async function conversation(changes: object): Promise<readonly ChatMessage[]> {
  const { prompt } = await asked(changes);
  if (prompt.kind !== 'messages') throw new Error('a prompt of messages');
  return prompt.messages;
}

describe('an answer', () => {
  it('has exactly the shape of Anthropic', async () => {
    service.engine.script = { steps: [{ text: 'Hel' }, { text: 'lo' }], promptTokens: 9, cachedTokens: 4 };
    expect(await answer({ model: 'gpt-4o-mini' })).toEqual({
      id: expect.stringMatching(/^msg_\w{24}$/),
      type: 'message',
      role: 'assistant',
      model: 'gpt-4o-mini',
      content: [{ type: 'text', text: 'Hello', citations: [] }],
      container: null,
      diagnostics: null,
      stop_details: null,
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: 5,
        cache_read_input_tokens: 4,
        cache_creation_input_tokens: 0,
        cache_creation: null,
        output_tokens: 2,
        output_tokens_details: { thinking_tokens: 0 },
        server_tool_use: null,
        inference_geo: null,
        service_tier: 'standard',
        speed: null,
      },
    });
  });

  it.each([
    ['end_turn', null, {}],
    ['stop_sequence', 'END', { stopSequence: 'END' }],
    ['tool_use', null, { finishReason: 'tool_calls' }],
    ['model_context_window_exceeded', null, { finishReason: 'length' }],
  ] as const)('stops with %s', async (stop_reason, stop_sequence, end) => {
    service.engine.script = { steps: [{ text: 'a' }], ...end };
    expect(await answer()).toMatchObject({ stop_reason, stop_sequence });
  });

  it('that has as many tokens as were asked for stops with max_tokens', async () => {
    service.engine.script = { steps: [{ text: 'a' }, { text: 'b' }], finishReason: 'length' };
    expect(await answer({ max_tokens: 2 })).toHaveProperty('stop_reason', 'max_tokens');
  });

  it('has thoughts, text and calls in blocks of their own', async () => {
    service.engine.script = {
      steps: [{ reasoning: 'H' }, { reasoning: 'm' }, { text: 'So' }, { call: 'f' }, { arguments: '{"a"' }, { arguments: ':1}' }, { call: 'g' }],
      finishReason: 'tool_calls',
    }; // prettier-ignore
    const call = {
      type: 'tool_use',
      id: expect.stringMatching(/^toolu_\w{24}$/),
      caller: { type: 'direct' },
    };
    expect((await answer()).content).toEqual([
      { type: 'thinking', thinking: 'Hm', signature: expect.stringMatching(/^hearth2\./) },
      { type: 'text', text: 'So', citations: [] },
      { ...call, name: 'f', input: { a: 1 } },
      { ...call, name: 'g', input: {} },
    ]);
  });

  it('whose call was cut off has an input that is no guess', async () => {
    service.engine.script = { steps: [{ call: 'f' }, { arguments: '{"a":' }], finishReason: 'length' };
    expect((await answer()).content).toMatchObject([{ type: 'tool_use', input: {} }]);
  });

  it('may be empty', async () => {
    service.engine.script = { steps: [] };
    expect(await answer()).toMatchObject({ content: [], stop_reason: 'end_turn' });
  });

  it('is charged like chat', async () => {
    const response = await ask();
    expect(response.headers.get('x-ratelimit-limit-requests')).toBe('60');
    const { admitted, settlements } = service.limiter;
    expect(admitted).toMatchObject([
      { route: '/v1/messages', modelId: 'tiny', measures: ['requests', 'inputTokens', 'outputTokens'] },
    ]);
    expect(settlements).toMatchObject([{ status: 200, promptTokens: 7, completionTokens: 2 }]);
  });

  it('is given to requests of the beta resource, of later versions and without one', async () => {
    await ask({}, '/v1/messages?beta=true');
    const headers = { 'anthropic-beta': 'a-2026-01-01,b', 'anthropic-version': '2026-10-21' };
    expect((await service.app.request(...messageRequest({}, { headers }))).status).toBe(200);
    const request = jsonRequest('/v1/messages', helloMessage);
    expect((await service.app.request(...request)).status).toBe(200);
  });
});

describe('a request', () => {
  it('sets what is drawn and where it ends', async () => {
    const changes = { max_tokens: 9, stop_sequences: ['a', 'b'], temperature: 0.5, top_p: 0.25, top_k: 7 };
    expect(await asked(changes)).toMatchObject({
      modelId: 'tiny',
      maxTokens: 9,
      stop: ['a', 'b'],
      sampling: { temperature: 0.5, topP: 0.25, topK: 7 },
    });
  });

  it('with no tokens to generate only fills the cache', async () => {
    service.engine.script = { steps: [], finishReason: 'length' };
    expect(await answer({ max_tokens: 0 })).toMatchObject({ content: [], stop_reason: 'max_tokens' });
    expect(service.engine.lastCall.request.maxTokens).toBe(0);
  });

  it('may say what has no effect here, and hears of what might have been missed', async () => {
    const cache_control = { type: 'ephemeral', ttl: '1h' };
    const response = await ask({
      cache_control,
      system: [{ type: 'text', text: 'a', cache_control }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'b', cache_control }] }],
      tools: [{ name: 'f', input_schema: { type: 'object' }, cache_control, defer_loading: true }],
      metadata: { user_id: 'me' },
      service_tier: 'auto',
      inference_geo: 'us',
      speed: 'fast',
      context_management: { edits: [] },
    });
    expect(response.headers.get('x-ignored-parameters')).toBe('context_management');
  });

  it('tells the model which tools a search found, and which of them are gone', async () => {
    const reference = (name: string) => ({ type: 'tool_reference', tool_name: name });
    const found = [reference('fetch'), { type: 'text', text: 'Found.' }, reference('gone')];
    const messages = await conversation({
      tools: ['search', 'fetch'].map((name) => ({
        name,
        input_schema: { type: 'object' },
        defer_loading: name === 'fetch',
      })),
      messages: [
        { role: 'user', content: 'Fetch it.' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'search', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: found }] },
      ],
    });
    expect(messages.at(-1)).toMatchObject({
      role: 'tool',
      content: 'The tool fetch can be called now.\nFound.\nThere is no tool gone any more.',
    });
  });

  it.each([
    [{ output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } }],
    [{ output_format: { type: 'json_schema', schema: { type: 'object' } } }],
  ])('asks for an answer that fits a schema: %j', async (changes) => {
    const { outputFormat } = await asked(changes);
    expect(outputFormat).toEqual({ kind: 'json-schema', schema: { type: 'object' } });
  });
});

describe('messages', () => {
  it('begin with the system text', async () => {
    const system = [
      { type: 'text', text: 'One.' },
      { type: 'text', text: 'Two.' },
    ];
    const user = { role: 'user', content: 'Hi' };
    expect(await conversation({ system })).toEqual([{ role: 'system', content: 'One.\nTwo.' }, user]);
    expect(await conversation({ system: 'One.' })).toEqual([{ role: 'system', content: 'One.' }, user]);
  });

  it('may have system messages among them', async () => {
    const messages = [
      ...helloMessage.messages,
      { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
    ];
    expect(await conversation({ messages })).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'Be kind.' },
    ]);
  });

  it('tell of calls and of their results, each in its place', async () => {
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'c' }, { type: 'tool_use', id: 'toolu_1', name: 'f', input: { x: 1 } }, { type: 'tool_use', id: 'toolu_2', name: 'g', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_2' }, { type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, content: [{ type: 'text', text: 'No.' }] }, { type: 'text', text: 'd' }] },
    ]; // prettier-ignore
    expect(await conversation({ messages })).toEqual([
      { role: 'user', content: 'a\nb' },
      {
        role: 'assistant',
        content: 'c',
        toolCalls: [
          { id: 'toolu_1', name: 'f', arguments: '{"x":1}' },
          { id: 'toolu_2', name: 'g', arguments: '{}' },
        ],
      },
      { role: 'tool', content: '', toolCallId: 'toolu_2' },
      { role: 'tool', content: 'Error: No.', toolCallId: 'toolu_1' },
      { role: 'user', content: 'd' },
    ]);
  });

  it('may show texts in other forms', async () => {
    const content = [
      { type: 'document', title: 'Title', context: 'From a book.', source: { type: 'text', media_type: 'text/plain', data: 'Data' } },
      { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'Block' }] } },
      { type: 'search_result', source: 'https://example.com', title: 'Found', content: [{ type: 'text', text: 'This' }] },
    ]; // prettier-ignore
    expect(await conversation({ messages: [{ role: 'user', content }] })).toEqual([
      {
        role: 'user',
        content: 'Title\nFrom a book.\nData\nBlock\nFound\nhttps://example.com\nThis',
      },
    ]);
  });
});

describe('thoughts', () => {
  const thinks = (script: Partial<Script> = {}) => {
    service.engine.script = { steps: [{ reasoning: 'Hm' }, { text: 'So' }], ...script };
  };
  const think = { model: 'thinker', thinking: { type: 'adaptive' } };
  const sendBack = (content: unknown) => [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content },
    { role: 'user', content: 'And?' },
  ];

  it.each([
    [
      { type: 'enabled', budget_tokens: 100 },
      { enabled: true, maxTokens: 100 },
    ],
    [
      { type: 'enabled', budget_tokens: 9000 },
      { enabled: true, maxTokens: 4096 - 512 },
    ],
    [{ type: 'adaptive' }, { enabled: true, maxTokens: 2048 }],
    [{ type: 'disabled' }, { enabled: false }],
    [undefined, { enabled: false }],
  ])('are asked for by %j', async (thinking, reasoning) => {
    const changes = { model: 'thinker', max_tokens: 4096, ...(thinking && { thinking }) };
    expect((await asked(changes)).reasoning).toEqual(reasoning);
  });

  it('are as long as the effort says', async () => {
    const { reasoning } = await asked({ ...think, max_tokens: 9999, output_config: { effort: 'max' } });
    expect(reasoning).toEqual({ enabled: true, effort: 'max', maxTokens: 8192 });
  });

  it('are named as ignored where the model has none, and efforts without them', async () => {
    const output_config = { effort: 'high' };
    const unable = await ask({ thinking: { type: 'enabled', budget_tokens: 1024 }, output_config });
    expect(unable.headers.get('x-ignored-parameters')).toBe('thinking, output_config.effort');
    const unasked = await ask({ model: 'thinker', output_config });
    expect(unasked.headers.get('x-ignored-parameters')).toBe('output_config.effort');
    expect((await ask({ thinking: { type: 'disabled' } })).headers.has('x-ignored-parameters')).toBe(false);
  });

  it.each([{ type: 'adaptive' }, { type: 'adaptive', display: 'omitted' }])(
    'are sent back and read again: %j',
    async (thinking) => {
      thinks();
      const { content } = await answer({ ...think, thinking });
      const [shown] = content;
      expect(shown).toHaveProperty('thinking', 'display' in thinking ? '' : 'Hm');
      expect(await conversation({ messages: sendBack(content) })).toContainEqual({
        role: 'assistant',
        content: 'So',
        reasoning: 'Hm',
      });
    },
  );

  it.each([
    ['a changed text', 'Hm!', (signature: string) => signature],
    ['a changed signature', 'Hm', (signature: string) => `${signature.slice(0, -2)}AA`],
    ['a signature of another text', 'Mh', (signature: string) => signature],
    ['a signature of another text that it carries', '', (signature: string) => `${signature}.SG0h`],
  ])('are refused with %s', async (_, thinking, change) => {
    thinks();
    const [block] = (await answer(think)).content;
    const signature = change(block?.type === 'thinking' ? block.signature : '');
    const messages = sendBack([{ type: 'thinking', thinking, signature }]);
    const response = await service.app.request(...messageRequest({ messages }));
    const message = await expectAnthropicError(response, 400, 'invalid_request_error');
    expect(message).toContain("'messages[1].content[0].signature'");
  });
});

describe('tools', () => {
  const input_schema = { type: 'object', properties: {} };
  const tools = [
    { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
    { name: 'f', description: 'Does f.', input_schema, strict: true },
    { type: 'custom', name: 'g', input_schema },
    { type: 'bash_20250124', name: 'bash' },
  ];
  const definitions = [
    { name: 'f', description: 'Does f.', parameters: input_schema, strict: true },
    { name: 'g', parameters: input_schema },
  ];

  it.each([
    [undefined, { required: false, parallel: true }],
    [{ type: 'auto' }, { required: false, parallel: true }],
    [
      { type: 'auto', disable_parallel_tool_use: true },
      { required: false, parallel: false },
    ],
    [{ type: 'any' }, { required: true, parallel: true }],
    [
      { type: 'any', disable_parallel_tool_use: true },
      { required: true, parallel: false },
    ],
    [
      { type: 'tool', name: 'g' },
      { allowed: ['g'], required: true, parallel: false },
    ],
  ])('are used as %j says', async (tool_choice, use) => {
    const request = await asked({ tools, ...(tool_choice && { tool_choice }) });
    expect(request.tools).toEqual({ definitions, ...use });
  });

  it('are not shown where none is to be used', async () => {
    expect((await asked({ tools, tool_choice: { type: 'none' } })).tools).toMatchObject({ allowed: [] });
  });

  it('that run elsewhere are not offered, and named', async () => {
    const response = await ask({ tools });
    const ignored = response.headers.get('x-ignored-parameters');
    expect(ignored).toBe('tools.web_search_20250305, tools.bash_20250124');
  });

  it.each([
    [tools, { type: 'tool', name: 'web_search' }, 'tool_choice'],
    [tools.slice(0, 1), { type: 'any' }, 'tool_choice'],
    [tools, { type: 'tool', name: 'h' }, 'tool_choice.name'],
    [[], { type: 'any' }, 'tool_choice'],
    [[tools[1], tools[0], tools[1]], { type: 'auto' }, 'tools[2].name'],
    [
      [tools[0], { name: 'f', input_schema: { type: 'string' } }],
      { type: 'auto' },
      'tools[1].input_schema.type',
    ],
    [[{ name: 'not a name', input_schema }], { type: 'auto' }, 'tools[0].name'],
    [[{ name: 'f'.repeat(129), input_schema }], { type: 'auto' }, 'tools[0].name'],
    [[{ name: 'f' }], { type: 'auto' }, 'tools[0].input_schema'],
  ])('are refused where they cannot be what they must: %#', async (offered, tool_choice, param) => {
    const response = await service.app.request(...messageRequest({ tools: offered, tool_choice }));
    expect(await expectAnthropicError(response, 400, 'invalid_request_error')).toContain(`'${param}'`);
    expect(service.engine.calls).toEqual([]);
  });
});

describe('counting tokens', () => {
  it('counts what a message would be asked with, and charges nothing', async () => {
    service.engine.script = { steps: [], promptTokens: 42 };
    const { max_tokens: _, ...body } = helloMessage;
    const tools = [{ name: 'f', input_schema: { type: 'object' } }];
    const request = messageRequest(JSON.stringify({ ...body, tools }), { path: '/v1/messages/count_tokens' });
    const response = await service.app.request(...request);
    expect(await response.json()).toEqual({ input_tokens: 42 });
    expect(service.engine.lastCall.request.tools?.definitions).toHaveLength(1);
    expect(service.limiter.admitted).toEqual([]);
    expect(service.logLines.at(-1)).toContain('"model":"tiny"');
  });
});
