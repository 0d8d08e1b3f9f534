import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConfigFile } from '../../src/config/file/read-config-file.ts';
import { compileSchema } from '../../src/grammar/compile-schema.ts';
import { fitsSchema } from '../../src/grammar/fits-schema.ts';
import { readResult } from '../../src/mcp/tool-result.ts';
import { boundTools } from '../../src/mcp/tool-list.ts';
import { userKey } from '../support/fakes/http-service.ts';
import { listenWithStore, type ResponsesService } from '../support/fakes/responses-service.ts';
import { finalResponse, readResponseEvents } from '../support/wire/response-events.ts';

/** Names that each object of the language has already, or that set its prototype. */
const names = [
  '__proto__',
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'prototype',
  '__defineGetter__',
];

let service: ResponsesService;
beforeAll(async () => {
  service = await listenWithStore();
});
afterAll(() => service.close());

/** `{[name]: value}` as JSON has it. */
const named = (name: string, value: unknown) => Object.fromEntries([[name, value]]);
const post = async (path: string, body: object) => {
  const response = await fetch(`${service.origin}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${userKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text;
};

describe.each(names)('the name %s', (name) => {
  it('in metadata comes back at once, in the stream and when it is read again', async () => {
    service.engine.script = { steps: [{ text: 'Hi' }] };
    const metadata = named(name, 'a');
    const whole = JSON.parse(
      await post('/v1/responses', { model: 'tiny', input: 'Hi', store: true, metadata }),
    ) as { id: string; metadata: object };
    expect(JSON.stringify(whole.metadata)).toBe(JSON.stringify(metadata));
    const again = (await (await service.get(whole.id)).json()) as { metadata: object };
    expect(JSON.stringify(again.metadata)).toBe(JSON.stringify(metadata));
    const streamed = await (await service.get(`${whole.id}?stream=true`)).text();
    expect(JSON.stringify(finalResponse(readResponseEvents(streamed)).metadata)).toBe(
      JSON.stringify(metadata),
    );
  });

  it('in arguments goes to the model and comes from it, in every API', async () => {
    const args = named(name, 1);
    const text = JSON.stringify(args);
    const schema = { type: 'object', properties: named(name, { type: 'integer' }), required: [name] };
    service.engine.script = { steps: [{ call: 'f' }, { arguments: text }], finishReason: 'tool_calls' };
    const tools = [{ type: 'function', function: { name: 'f', parameters: schema } }];
    const [model, user] = ['tiny', { role: 'user', content: 'Hi' }];
    const asked = () => {
      const { tools: offered, prompt } = service.engine.lastCall.request;
      const calls =
        prompt.kind === 'messages' ? prompt.messages.flatMap(({ toolCalls = [] }) => toolCalls) : [];
      return [JSON.stringify(offered?.definitions[0]?.parameters), calls.map((call) => call.arguments)];
    };
    const isAsked = [JSON.stringify(schema), [text]];
    const call = { function: { name: 'f', arguments: args } };
    const ollama = { model, tools, stream: false, messages: [user, { role: 'assistant', content: '', tool_calls: [call] }, { role: 'tool', content: 'x' }] }; // prettier-ignore
    expect(await post('/api/chat', ollama)).toContain(`"arguments":${text}`);
    expect(asked()).toEqual(isAsked);
    const use = { type: 'tool_use', id: 'a', name: 'f', input: args };
    const anthropic = { model, max_tokens: 9, tools: [{ name: 'f', input_schema: schema }], messages: [user, { role: 'assistant', content: [use] }, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] }] }; // prettier-ignore
    expect(await post('/v1/messages', anthropic)).toContain(`"input":${text}`);
    expect(asked()).toEqual(isAsked);
    const openai = { model, tools, messages: [user] };
    expect(await post('/v1/chat/completions', openai)).toContain(`"arguments":${JSON.stringify(text)}`);
    expect(asked()[0]).toBe(isAsked[0]);
  });

  it('in a schema holds the answer, and is a name like any other', () => {
    const schema = { type: 'object', properties: named(name, { type: 'integer' }), required: [name], additionalProperties: false }; // prettier-ignore
    expect([...compileSchema(schema).rules.values()].join('\n')).toContain(name);
    expect(fitsSchema(schema, JSON.parse(`{"${name}":1}`))).toBe(true);
    for (const wrong of ['{}', `{"${name}":"a"}`, `{"${name}":1,"other":1}`])
      expect(fitsSchema(schema, JSON.parse(wrong))).toBe(false);
    expect(
      fitsSchema(
        { type: 'object', properties: {}, additionalProperties: false },
        JSON.parse(`{"${name}":1}`),
      ),
    ).toBe(false);
  });

  it('in what servers of tools send stays', () => {
    const inputSchema = { type: 'object', properties: named(name, { type: 'string' }) };
    const { tools } = boundTools([{ name, inputSchema }], undefined);
    expect(JSON.stringify(tools)).toBe(JSON.stringify([{ name, description: '', inputSchema }]));
    const { text } = readResult({ structuredContent: named(name, 1) }, 1000);
    expect(text).toBe(JSON.stringify(named(name, 1)));
  });

  it('in hearth.yaml is a name, or is refused by its line', () => {
    const file = `plans:\n  ${name}:\n    limits: {}\n`;
    if (name === '__proto__') expect(() => parseConfigFile(file, 'x.yaml')).toThrow(/x\.yaml:2: .*__proto__/);
    else expect(Object.keys(parseConfigFile(file, 'x.yaml').plans ?? {})).toEqual([name]);
  });
});
