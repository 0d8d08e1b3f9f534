import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Step } from '../../support/fakes/fake-engine.ts';
import type { FinishReason } from '../../../src/engine/generation/generation.ts';
import type { GenerationRequest } from '../../../src/engine/types.ts';
import { chatRequest, hello, listen } from '../../support/fakes/http-service.ts';
import type { Service } from '../../support/fakes/http-service.ts';
import { toDeltas } from '../../support/wire/wire-events.ts';
import { allowTools, chooseTool, wireCall, wireTool } from '../../support/wire/wire-tools.ts';

let service: Service;
beforeEach(async () => {
  service = await listen();
});
afterEach(() => service.close());

const ask = async (extra: object): Promise<Response> => {
  const [path, init] = chatRequest({ ...hello, ...extra });
  const response = await fetch(service.origin + path, init);
  expect(response.status).toBe(200);
  return response;
};

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = [wireTool('get_weather', city, { description: 'Now.', strict: true }), wireTool('get_time')];
const definitions = [
  { name: 'get_weather', description: 'Now.', parameters: city, strict: true },
  { name: 'get_time' },
];

describe('what the engine is asked for', () => {
  const requestFor = async (extra: object): Promise<GenerationRequest> => {
    await (await ask(extra)).text();
    return service.engine.lastCall.request;
  };

  it.each([
    { name: 'tools alone', extra: {}, expected: { required: false, parallel: true } },
    { name: 'auto', extra: { tool_choice: 'auto' }, expected: { required: false, parallel: true } },
    { name: 'null', extra: { tool_choice: null, parallel_tool_calls: null }, expected: { required: false, parallel: true } },
    { name: 'required', extra: { tool_choice: 'required' }, expected: { required: true, parallel: true } },
    { name: 'one at a time', extra: { parallel_tool_calls: false }, expected: { required: false, parallel: false } },
    { name: 'one function', extra: { tool_choice: chooseTool('get_time'), parallel_tool_calls: true }, expected: { allowed: ['get_time'], required: true, parallel: false } },
    { name: 'some allowed', extra: { tool_choice: allowTools('auto', 'get_time', 'get_time') }, expected: { allowed: ['get_time'], required: false, parallel: true } },
    { name: 'some required', extra: { tool_choice: allowTools('required', 'get_time', 'get_weather') }, expected: { allowed: ['get_time', 'get_weather'], required: true, parallel: true } },
  ])('is all tools and, for $name, how they may be used', async ({ extra, expected }) => {
    const { tools: asked } = await requestFor({ tools, ...extra });
    expect(asked).toEqual({ definitions, ...expected });
  }); // prettier-ignore

  it('is no tools where none may be called', async () => {
    const shown = await requestFor({ tools, tool_choice: 'none' });
    expect(shown).toMatchObject({ tools: { allowed: [], required: false } });
    expect(await requestFor({ tools: [], tool_choice: 'none' })).not.toHaveProperty('tools');
  });

  it('is tools for every model: the engine has a way for templates that know none', async () => {
    for (const model of ['tiny', 'thinker'])
      expect((await requestFor({ model, tools })).tools?.definitions).toEqual(definitions);
  });

  it('is any schema, hostile names included, with text that UTF-8 can hold', async () => {
    const text = '{"type":"object","properties":{"__proto__":{"const":"\\ud800"},"constructor":true},"x":[1,null]}';
    const { tools: asked } = await requestFor({ tools: [{ type: 'function', function: { name: 'f', parameters: JSON.parse(text) as object } }] });
    expect(JSON.stringify(asked?.definitions[0]?.parameters)).toBe(text.replace('\\ud800', '\ufffd'));
  }); // prettier-ignore

  it.each([
    { given: {}, expected: { type: 'object' } },
    { given: { properties: { a: {} } }, expected: { properties: { a: {} }, type: 'object' } },
    { given: { type: ['object', 'null'] }, expected: { type: 'object' } },
    { given: null, expected: undefined },
  ])('is a schema of objects for $given', async ({ given, expected }) => {
    const { tools: asked } = await requestFor({ tools: [{ type: 'function', function: { name: 'f', parameters: given } }] });
    expect(asked?.definitions[0]?.parameters).toEqual(expected);
  }); // prettier-ignore

  it('is the history with its calls, results and thoughts', async () => {
    const { prompt } = await requestFor({
      messages: [
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', content: null, reasoning_content: 'Two cities.', reasoning: 'Two cities.', tool_calls: [wireCall('call_a', 'get_weather', '{"city": "Oslo"}'), wireCall('call_b', 'other.vendor/tool', '')] },
        { role: 'tool', tool_call_id: 'call_b', content: [{ type: 'text', text: 'rain' }] },
        { role: 'tool', tool_call_id: 'call_a', content: 'sun' },
        { role: 'assistant', content: [], tool_calls: [wireCall('call_a', 'get_time', 'not JSON \ud800')], reasoning: 'Again.' },
        { role: 'tool', tool_call_id: 'call_a', content: '' },
        { role: 'assistant', content: 'Sun.', tool_calls: null, reasoning_content: '', reasoning: null },
        { role: 'user', content: 'Thanks.' },
      ],
    }); // prettier-ignore
    expect(prompt).toEqual({
      kind: 'messages',
      messages: [
        { role: 'user', content: 'Weather?' },
        {
          role: 'assistant',
          content: '',
          toolCalls: [
            { id: 'call_a', name: 'get_weather', arguments: '{"city": "Oslo"}' },
            { id: 'call_b', name: 'other.vendor/tool', arguments: '{}' },
          ],
          reasoning: 'Two cities.',
        },
        { role: 'tool', content: 'rain', toolCallId: 'call_b' },
        { role: 'tool', content: 'sun', toolCallId: 'call_a' },
        {
          role: 'assistant',
          content: '',
          toolCalls: [{ id: 'call_a', name: 'get_time', arguments: 'not JSON \ufffd' }],
          reasoning: 'Again.',
        },
        { role: 'tool', content: '', toolCallId: 'call_a' },
        { role: 'assistant', content: 'Sun.' },
        { role: 'user', content: 'Thanks.' },
      ],
    });
  });
});

const id = expect.stringMatching(/^call_[A-Za-z0-9]{24}$/) as string;

interface Answer {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly finishReason?: FinishReason;
  readonly content: string | null;
  readonly calls: readonly (readonly [name: string, text: string])[];
  /** After the role, before the finish; a call's beginning is its name. */
  readonly deltas: readonly (
    | string
    | readonly [index: number, text: string]
    | { readonly content: string }
  )[];
}

const answers: readonly Answer[] = [
  {
    name: 'a call in pieces',
    steps: [{ call: 'get_weather' }, { arguments: '{"city"' }, { arguments: '' }, { arguments: ': "Oslo"}' }],
    content: null,
    calls: [['get_weather', '{"city": "Oslo"}']],
    deltas: ['get_weather', [0, '{"city"'], [0, ': "Oslo"}']],
  },
  {
    name: 'a call with an empty object',
    steps: [{ call: 'get_time' }, { arguments: '{}' }],
    content: null,
    calls: [['get_time', '{}']],
    deltas: ['get_time', [0, '{}']],
  },
  {
    name: 'calls whose arguments never came',
    steps: [{ call: 'get_time' }, { arguments: '' }, { call: 'get_time' }],
    content: null,
    calls: [['get_time', '{}'], ['get_time', '{}']],
    deltas: ['get_time', [0, '{}'], 'get_time', [1, '{}']],
  },
  {
    name: 'text before two calls',
    steps: [{ text: 'Let me ' }, { text: 'see.' }, { call: 'get_time' }, { arguments: '{}' }, { text: '' }, { call: 'get_weather' }, { arguments: '{"city":"\\n\u2028é"}' }],
    content: 'Let me see.',
    calls: [['get_time', '{}'], ['get_weather', '{"city":"\\n\u2028é"}']],
    deltas: [{ content: 'Let me ' }, { content: 'see.' }, 'get_time', [0, '{}'], 'get_weather', [1, '{"city":"\\n\u2028é"}']],
  },
  {
    name: 'a call that the maximum cut off',
    steps: [{ call: 'get_weather' }, { arguments: '{"ci' }],
    finishReason: 'length',
    content: null,
    calls: [['get_weather', '{"ci']],
    deltas: ['get_weather', [0, '{"ci']],
  },
  {
    name: 'a call that the maximum cut off before its arguments',
    steps: [{ call: 'get_time' }, { call: 'get_weather' }],
    finishReason: 'length',
    content: null,
    calls: [['get_time', '{}'], ['get_weather', '']],
    deltas: ['get_time', [0, '{}'], 'get_weather'],
  },
  { name: 'no call', steps: [{ text: 'No.' }], finishReason: 'stop', content: 'No.', calls: [], deltas: [{ content: 'No.' }] },
]; // prettier-ignore

describe('an answer that is', () => {
  it.each(answers)('$name', async ({ steps, finishReason = 'tool_calls', content, calls }) => {
    service.engine.script = { steps, finishReason };
    const { choices } = (await (await ask({ tools })).json()) as { choices: object[] };
    const message = { role: 'assistant', content, refusal: null };
    const toolCalls = calls.map(([name, text]) => ({ ...wireCall(id, name, text) }));
    expect(choices).toEqual([
      {
        index: 0,
        message: calls.length === 0 ? message : { ...message, tool_calls: toolCalls },
        logprobs: null,
        finish_reason: finishReason,
      },
    ]);
  });

  it.each(answers)('$name, streamed', async ({ steps, finishReason = 'tool_calls', deltas }) => {
    service.engine.script = { steps, finishReason };
    const text = await (await ask({ tools, stream: true })).text();
    let index = -1;
    const expected = deltas.map((delta) => {
      if (typeof delta === 'string') return { tool_calls: [{ index: (index += 1), ...wireCall(id, delta, '') }] };
      if (!('content' in delta)) return { tool_calls: [{ index: delta[0], function: { arguments: delta[1] } }] };
      return delta;
    }); // prettier-ignore
    expect(toDeltas(text)).toEqual([{ role: 'assistant', content: '' }, ...expected, {}]);
    expect(text).toContain(`"finish_reason":"${finishReason}"`);
  });
});

it('ids of calls are all different', async () => {
  service.engine.script = {
    steps: Array.from({ length: 50 }, () => ({ call: 'get_time' })),
    finishReason: 'tool_calls',
  };
  const ids = new Set<string>();
  for (let round = 0; round < 2; round++) {
    const { choices } = await service.client.chat.completions.create({ ...hello, tools });
    for (const call of choices[0]?.message.tool_calls ?? []) ids.add(call.id);
  }
  expect(ids.size).toBe(100);
});

it('a call is output: what fails after it is not given back', async () => {
  service.engine.script = { steps: [{ call: 'get_time' }, { waitMs: 5 }, { fail: new Error('boom') }] };
  await (await ask({ tools, stream: true })).text();
  expect(service.limiter.lastSettlement).toMatchObject({
    refundRequest: false,
    timeToFirstTokenMs: expect.any(Number) as number,
  });
});
