import type { ResponseInput, ResponseStreamEvent, Tool } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import type { ResponseEvent } from '../../../src/api/responses/events/event-schema.ts';
import { useSharedServer } from '../../support/server/chat-fixture.ts';
import { expectLegalEvents, finalResponse } from '../../support/wire/response-events.ts';
import { toolModel } from '../../support/models/tool-models.ts';

// The requests of Codex 0.169 in their shapes, as it sends them to a provider with wire_api = "responses".

const chat = useSharedServer();

const described = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { type: 'string', description: `The ${name}.` }]));
const func = (name: string, fields: readonly string[] = [], required: readonly string[] = fields) => ({
  type: 'function' as const,
  name,
  description: `Does ${name}.`,
  strict: false,
  parameters: {
    type: 'object',
    properties: described(fields),
    required: [...required],
    additionalProperties: false,
  },
});

const ofAgents = {
  type: 'namespace' as const,
  name: 'multi_agent_v1',
  description: 'Tools for other agents.',
  tools: [
    func('close_agent', ['target']),
    func('spawn_agent', ['message', 'model'], []),
    func('list_agents'),
  ],
};
const tools = [
  func('exec_command', ['cmd', 'workdir'], ['cmd']),
  func('get_goal'),
  ofAgents,
  { type: 'web_search', external_web_access: true },
] as Tool[];

const say = (role: 'developer' | 'user', ...texts: string[]) => ({
  type: 'message' as const,
  role,
  content: texts.map((text) => ({ type: 'input_text' as const, text })),
});
const conversation: ResponseInput = [
  say('developer', 'You work in a terminal.', 'Nothing is in a sandbox.'),
  say('user', '<environment>\n  <cwd>/tmp</cwd>\n</environment>'),
  say('user', 'List the files.'),
];

/** Parameters that every request of Codex has. */
const always = {
  model: toolModel,
  stream: true as const,
  parallel_tool_calls: true,
  reasoning: { summary: 'auto' as const },
  store: false,
  include: ['reasoning.encrypted_content' as const],
  prompt_cache_key: '01a201bc-c660-7cd0-b0a0-8e042e4487a4',
  client_metadata: { session_id: '01a201bc' },
  max_output_tokens: 400,
};

async function ask(body: object) {
  const { data, response } = await chat()
    .client.responses.create({ ...always, input: conversation, ...body })
    .withResponse();
  const events: ResponseEvent[] = [];
  for await (const event of data as AsyncIterable<ResponseStreamEvent>) events.push(event as ResponseEvent);
  expectLegalEvents(events);
  return { answer: finalResponse(events), events, headers: response.headers };
}

describe('Codex', () => {
  it('gets a streamed answer to its first message', async () => {
    const { answer, headers } = await ask({ tools, tool_choice: 'auto', max_output_tokens: 30 });
    expect(answer.output.length).toBeGreaterThan(0);
    expect(headers.get('x-ignored-parameters')).toBe('tools.web_search');
  });

  it('has a tool of a namespace called, and goes on with the result', async () => {
    const choice = { type: 'function', name: 'list_agents' };
    const { answer } = await ask({ tools, tool_choice: choice });
    const call = answer.output.find((item) => item.type === 'function_call');
    expect(call).toMatchObject({ name: 'list_agents', namespace: 'multi_agent_v1', arguments: '{}' });
    const output = { type: 'function_call_output', call_id: call?.call_id, output: 'No agents.\n' };
    const next = await ask({
      tools,
      input: [...conversation, ...answer.output, output],
      max_output_tokens: 30,
    });
    expect(next.answer.usage?.input_tokens).toBeGreaterThan(answer.usage?.input_tokens ?? Infinity);
  });

  it('has scripts written by a custom tool in a namespace, whose tools come in an item', async () => {
    const definition = String.raw`
start: pragma_source | plain_source
pragma_source: PRAGMA_LINE NEWLINE SOURCE
plain_source: SOURCE

PRAGMA_LINE: /[ \t]*\/\/ @exec:[^\r\n]*/
NEWLINE: /\r?\n/
SOURCE: /[\s\S]{1,40}/
`;
    const format = { type: 'grammar', syntax: 'lark', definition };
    const exec = { type: 'custom', name: 'exec', description: 'Runs a script.', format };
    const functions = { type: 'namespace', name: 'functions', description: '', tools: [exec, func('wait', ['cell_id'])] };
    const input = [{ type: 'additional_tools', role: 'developer', tools: [functions, ofAgents] }, ...conversation];
    const { answer, events } = await ask({ input, tool_choice: { type: 'custom', name: 'exec' } });
    const call = answer.output.find((item) => item.type === 'custom_tool_call');
    expect(call).toMatchObject({ name: 'exec', namespace: 'functions', status: 'completed' });
    expect(call?.input).toMatch(/^[^]{1,40}$|^[ \t]*\/\/ @exec:/u);
    expect(events.some(({ type }) => type === 'response.custom_tool_call_input.delta')).toBe(true);
    const output = { type: 'custom_tool_call_output', call_id: call?.call_id, output: [{ type: 'input_text', text: 'Done.' }] };
    await ask({ input: [...input, ...answer.output, output], max_output_tokens: 20 });
  }); // prettier-ignore

  it('has patches written that its grammar accepts', async () => {
    const definition = [
      'start: begin edit+ end',
      'begin: "*** Begin Patch" LF',
      'end: "*** End Patch"',
      'edit: add | remove',
      'add: "*** Add File: " name LF line~1..2',
      'remove: "*** Delete File: " name LF',
      'line: "+" /[a-z ]{0,9}/ LF',
      'name: /[a-z]{1,9}/',
      '%import common.LF',
    ].join('\n');
    const format = { type: 'grammar', syntax: 'lark', definition };
    const patch = { type: 'custom', name: 'apply_patch', description: 'Edits files.', format };
    const { answer } = await ask({
      tools: [patch],
      tool_choice: 'required',
      parallel_tool_calls: false,
      temperature: 0.7,
    });
    const call = answer.output.find((item) => item.type === 'custom_tool_call');
    if (call?.status === 'completed')
      expect(call.input).toMatch(/^\*\*\* Begin Patch\n(?:\*\*\* [^]*\n)+\*\*\* End Patch$/);
    else expect(answer.status).toBe('incomplete');
  });

  it('has its conversation shortened, counted and had again', async () => {
    const { responses } = chat().client;
    const counted = await responses.inputTokens.count({ model: toolModel, input: conversation, tools });
    const compacted = await responses.compact({ model: toolModel, input: conversation });
    expect(compacted.output.map(({ type }) => type)).toEqual(['message', 'message', 'compaction']);
    const input = [...compacted.output, say('user', 'Go on.')] as ResponseInput;
    const body = { model: toolModel, input, max_output_tokens: 20 };
    const answer = await responses.create({ ...body, store: true });
    expect(answer.usage?.input_tokens).toBeGreaterThan(0);
    const again = await responses.create({
      model: toolModel,
      input: conversation,
      tools,
      max_output_tokens: 1,
    });
    expect(counted.input_tokens).toBe(again.usage?.input_tokens);
    const events: ResponseEvent[] = [];
    for await (const event of await responses.retrieve(answer.id, { stream: true }))
      events.push(event as ResponseEvent);
    expectLegalEvents(events);
    expect(finalResponse(events).output).toEqual(answer.output);
    await expect(responses.cancel(answer.id)).rejects.toMatchObject({
      status: 400,
      code: 'unsupported_value',
    });
  });

  it('is told which grammar cannot be enforced', async () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "(" start ")" | "x"' };
    await expect(ask({ tools: [{ type: 'custom', name: 'nest', format }] })).rejects.toMatchObject({
      status: 400,
      code: 'invalid_value',
      param: 'tools[0].format.definition',
      message: expect.stringContaining('refers to itself') as string,
    });
  });
});
