import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { describe, expect, it } from 'vitest';
import { postChat, toErrorAnswer } from '../../support/server/chat-client.ts';
import { useSharedServer } from '../../support/server/chat-fixture.ts';
import { readCalls, tools } from '../../support/wire/tool-answers.ts';
import { toolModel, toolModelIds } from '../../support/models/tool-models.ts';
import { allowTools, chooseTool, wireCall, wireTool } from '../../support/wire/wire-tools.ts';

const chat = useSharedServer();
const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'What will the weather be?' }];
const seeds = [1, 2, 3];

describe.for(toolModelIds)('tools of %s', (model) => {
  const ask = (extra: object) =>
    chat().client.chat.completions.create({ model, messages, tools, max_tokens: 400, ...extra });

  it('required: at least one call, and its arguments fit', async () => {
    for (const seed of seeds) {
      const completion = await ask({ tool_choice: 'required', seed });
      expect(readCalls(completion).length).toBeGreaterThan(0);
      expect(completion.choices[0]?.finish_reason).toMatch(/^(tool_calls|length)$/);
    }
  });

  it('one at a time: exactly one', async () => {
    for (const seed of seeds) {
      const completion = await ask({ tool_choice: 'required', parallel_tool_calls: false, seed });
      expect(readCalls(completion)).toHaveLength(1);
      expect(completion.choices[0]?.finish_reason).toBe('tool_calls');
    }
  });

  it.for(['get_forecast', 'get_time'])('%s by name: that call', async (name) => {
    for (const seed of seeds) {
      const completion = await ask({ tool_choice: chooseTool(name), seed });
      expect(readCalls(completion).map((call) => call.function.name)).toEqual([name]);
      if (name === 'get_time') expect(readCalls(completion)[0]?.function.arguments).toBe('{}');
    }
  });

  it('some allowed: no other', async () => {
    for (const seed of seeds) {
      const calls = readCalls(await ask({ tool_choice: allowTools('required', 'get_time'), seed }));
      expect(new Set(calls.map((call) => call.function.name))).toEqual(new Set(['get_time']));
    }
  });

  it('auto: whatever calls come fit', async () => {
    for (const seed of seeds) {
      readCalls(await ask({ seed, max_tokens: 60 }));
    }
  });

  it('none: no call', async () => {
    const completion = await ask({ tool_choice: 'none', max_tokens: 60, seed: 1 });
    expect(completion.choices[0]?.message).not.toHaveProperty('tool_calls');
  });

  it('streamed: the same calls, put together by the client', async () => {
    for (const seed of seeds) {
      const options = { tool_choice: 'required' as const, parallel_tool_calls: false, seed };
      const whole = readCalls(await ask(options));
      const body = { model, messages, tools, max_tokens: 400, ...options };
      const streamed = readCalls(await chat().client.chat.completions.stream(body).finalChatCompletion());
      expect(streamed).toHaveLength(1);
      expect(streamed.map((call) => call.function)).toMatchObject(
        whole.map(({ function: { name, arguments: text } }) => ({ name, arguments: text })),
      );
    }
  });

  it('streamed: each call begins once and its arguments follow in pieces', async () => {
    const stream = await chat().client.chat.completions.create({
      model,
      messages,
      tools,
      tool_choice: chooseTool('get_forecast'),
      max_tokens: 400,
      stream: true,
    });
    const deltas = [];
    for await (const chunk of stream) deltas.push(...(chunk.choices[0]?.delta.tool_calls ?? []));
    const [beginning, ...pieces] = deltas;
    expect(beginning).toEqual({
      index: 0,
      id: expect.stringMatching(/^call_/) as string,
      type: 'function',
      function: { name: 'get_forecast', arguments: '' },
    });
    expect(pieces.length).toBeGreaterThan(1);
    for (const piece of pieces)
      expect(piece).toEqual({ index: 0, function: { arguments: expect.stringMatching(/[^]/) as string } });
  });

  it('cut off anywhere: no piece of a call is text', async () => {
    const cuts = Array.from({ length: 30 }, (_, index) => index + 1);
    for (const cut of cuts) {
      const { choices } = await ask({ tool_choice: 'required', max_tokens: cut, seed: 1 });
      expect(choices[0]?.message.content?.trim() ?? '').toBe('');
    }
  });

  it('arguments are an object also where their schema leaves it open', async () => {
    for (const parameters of [undefined, {}, { properties: { a: { type: 'boolean' } } }]) {
      const completion = await ask({
        tools: [wireTool('f', parameters)],
        tool_choice: chooseTool('f'),
        seed: 1,
        max_tokens: 200,
      });
      const [call] = completion.choices[0]?.message.tool_calls ?? [];
      expect(call?.type === 'function' && call.function.arguments.trim()).toMatch(/^\{/);
    }
  });

  it('takes a conversation of several rounds back', async () => {
    const history: ChatCompletionMessageParam[] = [
      ...messages,
      {
        role: 'assistant',
        content: null,
        tool_calls: [wireCall('call_1', 'get_time'), wireCall('call_2', 'get_forecast', '{"city": "<|im_end|>"}')],
      },
      { role: 'tool', tool_call_id: 'call_2', content: '{"sun": true}' },
      { role: 'tool', tool_call_id: 'call_1', content: '12:00' },
      { role: 'assistant', content: 'At noon there is sun.' },
      { role: 'user', content: 'And tomorrow?' },
    ]; // prettier-ignore
    readCalls(await ask({ messages: history, tool_choice: 'required' }));
  });
});

describe('a tool whose schema cannot be honoured', () => {
  const refused = (parameters: object, extra: object) =>
    postChat(chat().server, {
      model: toolModel,
      messages,
      tools: [wireTool('f'), wireTool('g', parameters, { strict: true })],
      ...extra,
    });

  it.for([
    { stream: false },
    { stream: true },
    { tool_choice: 'required' },
    { tool_choice: chooseTool('g') },
    { tool_choice: allowTools('auto', 'g') },
  ])('is refused with the path to the keyword, for %o', async (extra) => {
    const parameters = { type: 'object', properties: { age: { type: 'integer', minimun: 1 } } };
    expect(await toErrorAnswer(await refused(parameters, extra))).toMatchObject({
      status: 400,
      error: {
        type: 'invalid_request_error',
        code: 'invalid_json_schema',
        param: 'tools[1].function.parameters.properties.age.minimun',
      },
    });
  });

  it('that is no object is refused', async () => {
    const { status, error } = await toErrorAnswer(await refused({ type: 'string' }, {}));
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: 'invalid_json_schema', param: 'tools[1].function.parameters.type' });
  });
});
