import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GenerationRequest } from '../../../src/engine/types.ts';
import { response as responseSchema } from '../../../src/api/responses/response-schema.ts';
import type { ResponseObject } from '../../../src/api/responses/response-schema.ts';
import { listenWithStore } from '../../support/fakes/responses-service.ts';
import type { ResponsesService } from '../../support/fakes/responses-service.ts';

let service: ResponsesService;
beforeEach(async () => {
  service = await listenWithStore();
});
afterEach(() => service.close());

const create = async (body: object): Promise<ResponseObject> => {
  const answer = await service.post({ input: 'Hi', ...body });
  expect(answer.status).toBe(200);
  return responseSchema.parse(await answer.json());
};
const requestFor = async (body: object): Promise<GenerationRequest> => {
  await create(body);
  return service.engine.lastCall.request;
};
const messagesFor = async (input: unknown, extra: object = {}) => {
  const { prompt } = await requestFor({ input, ...extra });
  return prompt.kind === 'messages' ? prompt.messages : undefined;
};

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const weather = {
  type: 'function',
  name: 'get_weather',
  description: 'Now.',
  parameters: city,
  strict: false,
};
const time = { type: 'function', name: 'get_time' };

describe('the response object', () => {
  it('has every key, with what was used where nothing was asked for', async () => {
    const answer = await create({});
    expect(answer).toEqual({
      id: expect.stringMatching(/^resp_[A-Za-z0-9]{24}$/) as string,
      object: 'response',
      created_at: 1_795_000_000,
      completed_at: 1_795_000_000,
      status: 'completed',
      incomplete_details: null,
      error: null,
      model: 'tiny',
      previous_response_id: null,
      instructions: null,
      output: [
        {
          type: 'message',
          id: expect.stringMatching(/^msg_[A-Za-z0-9]{24}$/) as string,
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello there', annotations: [], logprobs: [] }],
        },
      ],
      tools: [],
      tool_choice: 'auto',
      parallel_tool_calls: true,
      max_tool_calls: null,
      text: { format: { type: 'text' }, verbosity: 'medium' },
      reasoning: { effort: null, summary: null },
      truncation: 'disabled',
      max_output_tokens: null,
      temperature: 1,
      top_p: 0.95,
      presence_penalty: 0,
      frequency_penalty: 0,
      top_logprobs: 0,
      usage: {
        input_tokens: 7,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: 2,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 9,
      },
      store: false,
      background: false,
      service_tier: 'default',
      metadata: {},
      user: null,
      safety_identifier: null,
      prompt_cache_key: null,
      access_programs: null,
    });
  });

  it('tells what was asked for', async () => {
    const asked = {
      model: 'o4-mini',
      instructions: 'Be brief.',
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'get_time' }] },
      parallel_tool_calls: false,
      max_tool_calls: 3,
      reasoning: { effort: 'low', summary: 'auto' },
      truncation: 'auto',
      max_output_tokens: 50,
      temperature: 0.5,
      top_p: 0.5,
      presence_penalty: 0.1,
      frequency_penalty: -0.1,
      top_logprobs: 2,
      store: true,
      metadata: { purpose: 'test' },
      user: 'me',
      safety_identifier: 'somebody',
      prompt_cache_key: 'cache',
    };
    const format = { type: 'json_schema', name: 'city', schema: city };
    const answer = await create({ ...asked, tools: [weather, time], text: { format, verbosity: 'low' }, service_tier: 'flex' });
    expect(answer).toMatchObject({
      ...asked,
      tools: [weather, { ...time, description: null, parameters: null, strict: true }],
      text: { format: { ...format, description: null, strict: true }, verbosity: 'low' },
      service_tier: 'flex',
    });
  }); // prettier-ignore

  it.each([
    { name: 'stays silent', steps: [], finishReason: 'stop', status: 'completed', types: [['message', 'completed']] },
    { name: 'only thinks', steps: [{ reasoning: 'Hm.' }], finishReason: 'stop', status: 'completed', types: [['reasoning', 'completed'], ['message', 'completed']] },
    { name: 'is cut off at once', steps: [], finishReason: 'length', status: 'incomplete', types: [['message', 'incomplete']] },
    { name: 'is cut off in a thought', steps: [{ reasoning: 'Hm' }], finishReason: 'length', status: 'incomplete', types: [['reasoning', 'incomplete']] },
    { name: 'is cut off in a text', steps: [{ reasoning: 'Hm' }, { text: 'So' }], finishReason: 'length', status: 'incomplete', types: [['reasoning', 'completed'], ['message', 'incomplete']] },
    { name: 'is cut off in a call', steps: [{ text: 'So' }, { call: 'get_time' }, { arguments: '{"' }], finishReason: 'length', status: 'incomplete', types: [['message', 'completed'], ['function_call', 'incomplete']] },
  ] as const)('shows a model that $name', async ({ steps, finishReason, status, types }) => {
    service.engine.script = { steps, finishReason };
    const answer = await create({ max_output_tokens: 5 });
    expect(answer.output.map((item) => [item.type, 'status' in item && item.status])).toEqual(types);
    expect(answer.status).toBe(status);
    expect(answer.incomplete_details).toEqual(status === 'incomplete' ? { reason: 'max_output_tokens' } : null);
    expect(answer.completed_at === null).toBe(status === 'incomplete');
  }); // prettier-ignore

  it('has calls whose arguments are always an object', async () => {
    service.engine.script = {
      steps: [
        { call: 'get_time' },
        { call: 'get_weather' },
        { arguments: '{"city":' },
        { arguments: '"Oslo"}' },
      ],
      finishReason: 'tool_calls',
    };
    const { output } = await create({ tools: [weather, time] });
    const id = expect.stringMatching(/^fc_[A-Za-z0-9]{24}$/) as string;
    const callId = expect.stringMatching(/^call_[A-Za-z0-9]{24}$/) as string;
    const call = { type: 'function_call', id, call_id: callId, status: 'completed' };
    expect(output).toEqual([
      { ...call, name: 'get_time', arguments: '{}' },
      { ...call, name: 'get_weather', arguments: '{"city":"Oslo"}' },
    ]);
  });

  it('has log-probabilities where one of the two parameters asks for them', async () => {
    const top = { token: 'Yo', logprob: -2, bytes: [89, 111] };
    const given = { token: 'Hi', logprob: Number.NEGATIVE_INFINITY, bytes: [72, 105], topLogprobs: [top] };
    service.engine.script = { steps: [{ text: 'Hi', logprobs: [given] }] };
    for (const body of [{ top_logprobs: 1 }, { include: ['message.output_text.logprobs'] }]) {
      const { output } = await create(body);
      const { topLogprobs: _, ...token } = given;
      const logprobs = [{ ...token, logprob: -9999, top_logprobs: [top] }];
      expect(output).toMatchObject([{ content: [{ text: 'Hi', logprobs }] }]);
    }
    expect((await requestFor({ top_logprobs: 1 })).topLogprobs).toBe(1);
    expect((await requestFor({ include: ['message.output_text.logprobs'] })).topLogprobs).toBe(0);
    expect((await requestFor({ include: [] })).topLogprobs).toBeUndefined();
  });
});

describe('what the engine is asked for', () => {
  it('is what chat asks for', async () => {
    const request = await requestFor({
      instructions: 'Be brief \ud800.',
      temperature: 0,
      seed: 7,
      max_output_tokens: 100,
      stop: ['END'],
      tools: [weather, time],
      tool_choice: 'required',
      text: { format: { type: 'json_schema', name: 'city', schema: city } },
    });
    expect(request).toMatchObject({
      modelId: 'tiny',
      accountId: 'account-1',
      prompt: {
        kind: 'messages',
        messages: [
          { role: 'system', content: 'Be brief \ufffd.' },
          { role: 'user', content: 'Hi' },
        ],
      },
      sampling: { temperature: 0, seed: 7 },
      maxTokens: 100,
      stop: ['END'],
      tools: {
        definitions: [{ name: 'get_weather', description: 'Now.', parameters: city }, { name: 'get_time' }],
        required: true,
        parallel: true,
      },
      outputFormat: { kind: 'json-schema', schema: city },
    });
  });

  const only = [{ type: 'function', name: 'get_time' }];
  it.each([
    { choice: 'auto', expected: { required: false, parallel: true } },
    { choice: { type: 'function', name: 'get_time' }, expected: { allowed: ['get_time'], required: true, parallel: false } },
    { choice: { type: 'allowed_tools', tools: only }, expected: { allowed: ['get_time'], required: false, parallel: true } },
    { choice: { type: 'allowed_tools', mode: 'required', tools: only }, expected: { allowed: ['get_time'], required: true, parallel: true } },
  ])('is how tools may be used: $choice', async ({ choice, expected }) => {
    const { tools } = await requestFor({ tools: [weather, time], tool_choice: choice });
    expect(tools).toEqual({ definitions: expect.any(Array) as unknown, ...expected });
  }); // prettier-ignore

  it.each(['none', { type: 'allowed_tools', mode: 'none', tools: only }])(
    'is tools that may not be called: %o',
    async (choice) => {
      const { tools } = await requestFor({ tools: [time], tool_choice: choice });
      expect(tools).toMatchObject({ definitions: [{ name: 'get_time' }], allowed: [], required: false });
    },
  );

  it('is how much to think', async () => {
    const reasoningOf = async (body: object) => (await requestFor({ model: 'thinker', ...body })).reasoning;
    expect(await reasoningOf({})).toEqual({ enabled: false });
    expect(await reasoningOf({ reasoning: { effort: 'none' } })).toEqual({ enabled: false });
    expect(await reasoningOf({ reasoning: { effort: 'high' } })).toEqual({
      enabled: true,
      effort: 'high',
      maxTokens: 8192,
    });
    expect(await reasoningOf({ model: 'thinker-r', max_output_tokens: 100 })).toEqual({
      enabled: true,
      maxTokens: 50,
    });
  });

  it.each([
    { format: { type: 'text' }, expected: undefined },
    { format: { type: 'json_object' }, expected: { kind: 'json-object' } },
    { format: null, expected: undefined },
  ])('is the format $format', async ({ format, expected }) => {
    expect((await requestFor({ text: { format } })).outputFormat).toEqual(expected);
  });
});

describe('a conversation', () => {
  it('is turns with their texts, calls, results and thoughts', async () => {
    const messages = await messagesFor([
      { role: 'developer', content: 'Help.' },
      { role: 'user', content: [{ type: 'input_text', text: 'Weather' }, { type: 'input_text', text: 'now?' }] },
      { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'Two cities.' }] },
      { type: 'message', role: 'assistant', id: 'msg_1', content: [{ type: 'output_text', text: 'Let me see.', annotations: [] }], status: 'completed' },
      { type: 'function_call', id: 'fc_1', call_id: 'call_a', name: 'get_weather', arguments: '{"city": "Oslo"}' },
      { type: 'function_call', call_id: 'call_b', name: 'get_time', arguments: '' },
      { type: 'function_call_output', call_id: 'call_b', output: 'noon' },
      { type: 'function_call_output', call_id: 'call_a', output: [{ type: 'input_text', text: 'rain \ud800' }] },
      { type: 'message', role: 'assistant', content: 'It rains.' },
      { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No more.' }] },
      { type: 'message', role: 'user', content: 'Thanks.' },
    ]); // prettier-ignore
    expect(messages).toEqual([
      { role: 'system', content: 'Help.' },
      { role: 'user', content: 'Weather\nnow?' },
      {
        role: 'assistant',
        content: 'Let me see.',
        toolCalls: [
          { id: 'call_a', name: 'get_weather', arguments: '{"city": "Oslo"}' },
          { id: 'call_b', name: 'get_time', arguments: '{}' },
        ],
        reasoning: 'Two cities.',
      },
      { role: 'tool', content: 'noon', toolCallId: 'call_b' },
      { role: 'tool', content: 'rain \ufffd', toolCallId: 'call_a' },
      { role: 'assistant', content: 'It rains.' },
      { role: 'assistant', content: 'No more.' },
      { role: 'user', content: 'Thanks.' },
    ]);
  });

  it.each(['auto', 'concise', 'detailed'])(
    'has its thoughts as their summary where one is asked for: %s',
    async (summary) => {
      service.engine.script = { steps: [{ reasoning: 'Two ' }, { reasoning: 'cities.' }, { text: 'So.' }] };
      const response = await create({ reasoning: { summary } });
      expect(response.reasoning.summary).toBe(summary);
      const [thought] = response.output;
      expect(thought).toMatchObject({
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'Two cities.' }],
        content: [],
      });
      expect(await messagesFor([thought])).toMatchObject([{ reasoning: 'Two cities.' }]);
    },
  );

  it('takes a thought back that was packed, and a summary in place of one that was not kept', async () => {
    service.engine.script = { steps: [{ reasoning: 'Größe\n🎉' }, { text: 'So.' }] };
    const { output } = await create({ include: ['reasoning.encrypted_content'] });
    const [thought] = output;
    if (thought?.type !== 'reasoning') throw new Error('the model did not think');
    const { content: _, ...packed } = thought;
    const [first] = (await messagesFor([packed])) ?? [];
    expect(first).toEqual({ role: 'assistant', content: '', reasoning: 'Größe\n🎉' });
    const summary = [{ type: 'summary_text', text: 'In short.' }];
    expect(await messagesFor([{ type: 'reasoning', summary, encrypted_content: null }])).toMatchObject([
      { reasoning: 'In short.' },
    ]);
  });

  it('comes back as its own output', async () => {
    service.engine.script = {
      steps: [{ reasoning: 'Hm.' }, { text: 'See:' }, { call: 'get_time' }, { arguments: '{}' }],
      finishReason: 'tool_calls',
    };
    const { output } = await create({ tools: [time] });
    const call = output.at(-1);
    if (call?.type !== 'function_call') throw new Error('the model did not call');
    const result = { type: 'function_call_output', call_id: call.call_id, output: 'noon' };
    expect(await messagesFor([{ role: 'user', content: 'Hi' }, ...output, result])).toEqual([
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: 'See:',
        reasoning: 'Hm.',
        toolCalls: [{ id: call.call_id, name: 'get_time', arguments: '{}' }],
      },
      { role: 'tool', content: 'noon', toolCallId: call.call_id },
    ]);
  });
});

it('is metered as chat is', async () => {
  const answer = await service.post({ input: 'Hi' });
  expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('59');
  expect(service.limiter.admitted).toMatchObject([
    { route: '/v1/responses', modelId: 'tiny', measures: ['requests', 'inputTokens', 'outputTokens'] },
  ]);
  expect(service.limiter.lastSettlement).toMatchObject({ status: 200, promptTokens: 7, completionTokens: 2 });
});

it('logs no text', async () => {
  await create({ input: 'secret question', instructions: 'secret order', store: true });
  expect(service.logLines.join('')).toContain('/v1/responses');
  expect(service.logLines.join('')).not.toMatch(/secret|Hello there/);
});
