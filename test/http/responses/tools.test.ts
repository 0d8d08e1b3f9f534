import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { response as responseSchema } from '../../../src/api/responses/response-schema.ts';
import type { Step } from '../../support/fakes/fake-engine.ts';
import { AppError } from '../../../src/errors/errors.ts';
import type { ErrorCode } from '../../../src/errors/errors.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { finalResponse, readResponseEvents } from '../../support/wire/response-events.ts';
import { listenWithStore } from '../../support/fakes/responses-service.ts';
import type { ResponsesService } from '../../support/fakes/responses-service.ts';

let service: ResponsesService;
beforeEach(async () => {
  service = await listenWithStore();
});
afterEach(() => service.close());

const create = async (body: object) => {
  const answer = await service.post({ input: 'Hi', ...body });
  expect(answer.status).toBe(200);
  return { answer: responseSchema.parse(await answer.json()), headers: answer.headers };
};
const asked = () => {
  const { tools, prompt } = service.engine.lastCall.request;
  return { tools, messages: prompt.kind === 'messages' ? prompt.messages : undefined };
};
const namesOffered = () => asked().tools?.definitions.map(({ name }) => name);
const stream = async (body: object) => {
  const answer = await service.post({ input: 'Hi', stream: true, ...body });
  expect(answer.status).toBe(200);
  return readResponseEvents(await answer.text());
};
const script = (...steps: Step[]) => {
  service.engine.script = { steps, finishReason: 'tool_calls' };
};

const refuse = (code: ErrorCode, param: string) => {
  service.engine.script = { before: [{ fail: new AppError(code, 'It is wrong.', { param }) }], steps: [] };
};

const read = { type: 'function', name: 'read', description: 'Reads one.', parameters: { type: 'object' } };
const list = { type: 'function', name: 'list' };
const ledger = { type: 'namespace', name: 'ledger', description: 'The books.', tools: [read, list] };
const regex = { type: 'grammar', syntax: 'regex', definition: '[0-9]+' };
const sum = { type: 'custom', name: 'sum', description: 'Adds.', format: regex };

describe('tools in a namespace', () => {
  it('are offered under one name each, the first with what is said about all of them', async () => {
    const { answer, headers } = await create({ tools: [list, ledger] });
    expect(asked().tools?.definitions).toEqual([
      { name: 'list' },
      { name: 'ledger__read', description: 'The books.\n\nReads one.', parameters: { type: 'object' } },
      { name: 'ledger__list' },
    ]);
    expect(headers.get('x-ignored-parameters')).toBeNull();
    expect(answer.tools).toMatchObject([list, ledger]);
  });

  it('are called by name and namespace', async () => {
    script({ call: 'ledger__read' }, { arguments: '{}' }, { call: 'list' });
    const { answer } = await create({ tools: [list, ledger] });
    expect(answer.output).toMatchObject([
      { type: 'function_call', name: 'read', namespace: 'ledger', arguments: '{}' },
      { type: 'function_call', name: 'list', arguments: '{}' },
    ]);
    expect(answer.output[1]).not.toHaveProperty('namespace');
    const [call] = answer.output;
    const output = { type: 'function_call_output', output: 'ok', name: 'read', namespace: 'ledger' };
    const callId = call?.type === 'function_call' ? call.call_id : '';
    await create({ tools: [ledger], input: [call, { ...output, call_id: callId }] });
    expect(asked().messages).toEqual([
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: callId, name: 'ledger__read', arguments: '{}' }],
      },
      { role: 'tool', content: 'ok', toolCallId: callId },
    ]);
  });

  it.each([
    { tool_choice: { type: 'function', name: 'read' }, allowed: ['ledger__read'] },
    { tool_choice: { type: 'function', name: 'list' }, allowed: ['list'] },
    { tool_choice: { type: 'allowed_tools', tools: [{ type: 'namespace', name: 'ledger' }] }, allowed: ['ledger__read', 'ledger__list'] },
    { tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'web_search' }, { type: 'function', name: 'read' }] }, allowed: ['ledger__read'] },
    { tool_choice: { type: 'allowed_tools', tools: [{ type: 'web_search' }] }, allowed: [] },
  ])('can be chosen: $tool_choice', async ({ tool_choice: choice, allowed }) => {
    await create({ tools: [list, ledger, { type: 'web_search' }], tool_choice: choice });
    expect(asked().tools?.allowed).toEqual(allowed);
  }); // prettier-ignore

  it('have errors at their own places', async () => {
    const nested = { type: 'namespace', name: 'n', tools: [{ type: 'shell' }, read, sum] };
    const body = { input: 'Hi', tools: [{ type: 'web_search' }, nested] };
    for (const [engine, wire] of [
      ['tools[0].parameters.properties', 'tools[1].tools[1].parameters.properties'],
      ['tools[1].inputGrammar', 'tools[1].tools[2].format.definition'],
    ] as const) {
      refuse('invalid_json_schema', engine);
      await expectError(await service.post(body), 'invalid_json_schema', wire);
    }
  });
});

describe('tools of the server', () => {
  it('are not offered, and named in a header', async () => {
    const { answer, headers } = await create({
      tools: [{ type: 'web_search', external_web_access: true }, list, { type: 'shell' }, { type: 'shell' }, { type: 'tool_search' }],
    });
    expect(namesOffered()).toEqual(['list']);
    expect(headers.get('x-ignored-parameters')).toBe('tools.web_search, tools.shell, tools.tool_search');
    expect(answer.tools).toMatchObject([list]);
  }); // prettier-ignore

  it('leave none to offer', async () => {
    await create({ tools: [{ type: 'web_search' }] });
    expect(asked().tools).toBeUndefined();
  });
});

describe('custom tools', () => {
  it('take one text, which fits the grammar', async () => {
    await create({ tools: [sum, { type: 'custom', name: 'say' }] });
    const definitions = asked().tools?.definitions ?? [];
    expect(definitions.map(({ inputGrammar }) => inputGrammar)).toEqual([
      { syntax: 'regex', definition: '[0-9]+' },
      undefined,
    ]);
    expect(definitions[0]).toMatchObject({
      name: 'sum',
      description: 'Adds.',
      parameters: {
        type: 'object',
        properties: { input: { type: 'string', description: expect.stringContaining('[0-9]+') as string } },
        required: ['input'],
        additionalProperties: false,
      },
    });
  });

  it('are called with their text as it is, streamed in pieces', async () => {
    const pieces = ['{"in', 'put": "a\\', 'n\\u00e9\\ud83d', '\\ude00 \\"b', '"}'];
    script({ call: 'sum' }, ...pieces.map((text) => ({ arguments: text })));
    const events = await stream({ tools: [sum] });
    expect(events.flatMap((event) => ('delta' in event ? [event.delta] : []))).toEqual(['a', '\né', '😀 "b']);
    expect(finalResponse(events).output).toMatchObject([
      { type: 'custom_tool_call', name: 'sum', input: 'a\né😀 "b', status: 'completed' },
    ]);
  });

  it('may stand in a namespace, and their calls and results are sent back', async () => {
    script({ call: 'books__sum' }, { arguments: '{"input":"1"}' });
    const tools = [{ type: 'namespace', name: 'books', description: null, tools: [sum] }];
    const { answer } = await create({ tools });
    expect(answer.output).toMatchObject([{ type: 'custom_tool_call', name: 'sum', namespace: 'books' }]);
    const [call] = answer.output;
    const callId = call?.type === 'custom_tool_call' ? call.call_id : '';
    const result = { type: 'custom_tool_call_output', call_id: callId };
    // A tool may send more than one result.
    const outputs = ['3', [{ type: 'input_text', text: '4' }]].map((output) => ({ ...result, output }));
    await create({ tools, input: [call, ...outputs] });
    expect(asked().messages).toEqual([
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: callId, name: 'books__sum', arguments: '{"input":"1"}' }],
      },
      { role: 'tool', content: '3', toolCallId: callId },
      { role: 'tool', content: '4', toolCallId: callId },
    ]);
  });

  it('whose grammar cannot be enforced are refused by its name', async () => {
    refuse('invalid_value', 'tools[0].inputGrammar');
    await expectError(
      await service.post({ input: 'Hi', tools: [sum] }),
      'invalid_value',
      'tools[0].format.definition',
    );
  });
});

describe('tools that come in items', () => {
  const added = {
    type: 'additional_tools',
    role: 'developer',
    tools: [ledger, { type: 'image_generation' }],
  };

  it('are offered like the others, and remembered with the conversation', async () => {
    const { answer, headers } = await create({ store: true, tools: [list], input: [added, { role: 'user', content: 'Hi' }] });
    expect(namesOffered()).toEqual(['list', 'ledger__read', 'ledger__list']);
    expect(headers.get('x-ignored-parameters')).toBe('tools.image_generation');
    expect(asked().messages).toEqual([{ role: 'user', content: 'Hi' }]);
    await create({ previous_response_id: answer.id, tools: [list] });
    expect(namesOffered()).toEqual(['ledger__read', 'ledger__list', 'list']);
  }); // prettier-ignore

  it('replace earlier ones of the same name', async () => {
    const newer = { ...list, description: 'Newer.' };
    await create({
      tools: [list, read],
      input: [
        { ...added, tools: [newer] },
        { role: 'user', content: 'Hi' },
      ],
    });
    expect(asked().tools?.definitions).toMatchObject([
      { name: 'read' },
      { name: 'list', description: 'Newer.' },
    ]);
  });

  it('are found by a search of the client', async () => {
    const parameters = { type: 'object', properties: { query: { type: 'string' } } };
    const search = { type: 'tool_search', execution: 'client', description: 'Finds tools.', parameters };
    script({ call: 'tool_search' }, { arguments: '{"query":' }, { arguments: '"books"}' });
    const events = await stream({ tools: [search] });
    expect(asked().tools?.definitions).toEqual([
      { name: 'tool_search', description: 'Finds tools.', parameters },
    ]);
    const { output, tools } = finalResponse(events);
    expect(tools).toEqual([search]);
    expect(output).toMatchObject([
      {
        type: 'tool_search_call',
        execution: 'client',
        arguments: { query: 'books' },
        call_id: expect.stringMatching(/^call_/) as string,
      },
    ]);
    const [call] = output;
    const callId = call?.type === 'tool_search_call' ? call.call_id : '';
    const found = { type: 'tool_search_output', call_id: callId, execution: 'client', tools: [ledger] };
    await create({ tools: [search], input: [call, found] });
    expect(namesOffered()).toEqual(['tool_search', 'ledger__read', 'ledger__list']);
    expect(asked().messages).toEqual([
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: callId, name: 'tool_search', arguments: '{"query":"books"}' }],
      },
      { role: 'tool', content: '{"tools":["ledger__read","ledger__list"]}', toolCallId: callId },
    ]);
  });

  it('may come from a search by another server, of which only they matter', async () => {
    await create({
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'tool_search_call', call_id: null, execution: 'server', arguments: { query: 'a' } },
        { type: 'tool_search_output', call_id: null, execution: 'server', tools: [list] },
      ],
    });
    expect(namesOffered()).toEqual(['list']);
    expect(asked().messages).toEqual([{ role: 'user', content: 'Hi' }]);
  });
});
