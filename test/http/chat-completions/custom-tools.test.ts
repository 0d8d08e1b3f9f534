import { afterEach, beforeEach, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/errors.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import type { Step } from '../../support/fakes/fake-engine.ts';
import { chatRequest, hello, listen } from '../../support/fakes/http-service.ts';
import type { Service } from '../../support/fakes/http-service.ts';
import { toDeltas } from '../../support/wire/wire-events.ts';
import { allowTools, wireTool } from '../../support/wire/wire-tools.ts';

let service: Service;
beforeEach(async () => {
  service = await listen();
});
afterEach(() => service.close());

const post = async (extra: object): Promise<Response> => {
  const [path, init] = chatRequest({ ...hello, ...extra });
  return await fetch(service.origin + path, init);
};
const ask = async (extra: object): Promise<Response> => {
  const response = await post(extra);
  expect(response.status).toBe(200);
  return response;
};

const grammar = { syntax: 'lark', definition: 'start: "a"' };
const say = {
  type: 'custom',
  custom: { name: 'say', description: 'Says.', format: { type: 'grammar', grammar } },
};
const id = expect.stringMatching(/^call_/) as string;
const steps: Step[] = [
  { call: 'say' },
  { arguments: '{"input":"a' },
  { arguments: '\\n' },
  { arguments: 'b"}' },
  { call: 'f' },
];

it('offers custom tools with their grammar, and no tools that the server would have to run', async () => {
  const web = { type: 'web_search' };
  const response = await ask({ tools: [web, wireTool('f'), say], tool_choice: allowTools('auto', 'f') });
  expect(response.headers.get('x-ignored-parameters')).toBe('tools.web_search');
  const { definitions = [], allowed } = service.engine.lastCall.request.tools ?? {};
  expect(allowed).toEqual(['f']);
  expect(definitions).toMatchObject([
    { name: 'f' },
    { name: 'say', description: 'Says.', inputGrammar: grammar },
  ]);
  await (await ask({ tools: [say], tool_choice: { type: 'custom', custom: { name: 'say' } } })).text();
  expect(service.engine.lastCall.request.tools).toMatchObject({ allowed: ['say'], required: true });
});

it('answers with the text of a custom call', async () => {
  service.engine.script = { steps, finishReason: 'tool_calls' };
  const answer = (await (await ask({ tools: [say, wireTool('f')] })).json()) as { choices: object[] };
  expect(answer.choices[0]).toMatchObject({
    message: {
      content: null,
      tool_calls: [
        { id, type: 'custom', custom: { name: 'say', input: 'a\nb' } },
        { id, type: 'function', function: { name: 'f', arguments: '{}' } },
      ],
    },
    finish_reason: 'tool_calls',
  });
});

it('streams the text of a custom call', async () => {
  service.engine.script = { steps, finishReason: 'tool_calls' };
  const deltas = toDeltas(await (await ask({ tools: [say, wireTool('f')], stream: true })).text());
  expect(deltas.filter((delta) => 'tool_calls' in delta)).toEqual([
    { tool_calls: [{ index: 0, id, type: 'custom', custom: { name: 'say', input: '' } }] },
    { tool_calls: [{ index: 0, custom: { input: 'a' } }] },
    { tool_calls: [{ index: 0, custom: { input: '\n' } }] },
    { tool_calls: [{ index: 0, custom: { input: 'b' } }] },
    { tool_calls: [{ index: 1, id, type: 'function', function: { name: 'f', arguments: '' } }] },
    { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
  ]);
});

it('takes custom calls and their results back', async () => {
  const call = { id: 'c1', type: 'custom', custom: { name: 'say', input: 'a "b"\ud800' } };
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'ok' },
  ];
  await (await ask({ tools: [say], messages })).text();
  expect(service.engine.lastCall.request.prompt).toMatchObject({
    messages: [
      {},
      { toolCalls: [{ id: 'c1', name: 'say', arguments: JSON.stringify({ input: 'a "b"\ufffd' }) }] },
      { role: 'tool', content: 'ok', toolCallId: 'c1' },
    ],
  });
});

it('names the grammar that cannot be enforced', async () => {
  service.engine.script = {
    before: [{ fail: new AppError('invalid_value', 'No.', { param: 'tools[1].inputGrammar' }) }],
    steps: [],
  };
  await expectError(
    await post({ tools: [{ type: 'web_search' }, wireTool('f'), say] }),
    'invalid_value',
    'tools[2].custom.format.grammar.definition',
  );
});
