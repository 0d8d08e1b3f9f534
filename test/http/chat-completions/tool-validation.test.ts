import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../src/errors/errors.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { buildApp, chatRequest, hello } from '../../support/fakes/http-service.ts';
import { allowTools, chooseTool, wireCall, wireTool } from '../../support/wire/wire-tools.ts';
import { processorMs } from '../../support/watch/processor-time.ts';

const service = buildApp();
const ask = async (extra: object): Promise<Response> =>
  service.app.request(...chatRequest({ ...hello, ...extra }));

type Refusal = readonly [name: string, extra: object, code: ErrorCode, param: string];

const tools = [wireTool('f'), wireTool('g')];
const withTools = (extra: object) => ({ tools, ...extra });
const tool = (changes: object) => ({ tools: [wireTool('f'), { ...wireTool('g'), ...changes }] });
const func = (changes: object) => tool({ function: { name: 'g', ...changes } });
const format = (response_format: object) => ({ response_format });
const jsonSchema = (json_schema: unknown) => format({ type: 'json_schema', json_schema });
const say = (...messages: object[]) => ({ messages });
const calls = (...tool_calls: unknown[]) => say({ role: 'assistant', tool_calls });
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' });
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const refusals: readonly Refusal[] = [
  ['an object for tools', { tools: {} }, 'invalid_type', 'tools'],
  ['257 tools', { tools: Array.from({ length: 257 }, (_, i) => wireTool(`f${i}`)) }, 'invalid_value', 'tools'],
  ['a string for a tool', { tools: ['f'] }, 'invalid_type', 'tools[0]'],
  ['a tool without a type', tool({ type: undefined }), 'missing_required_parameter', 'tools[1].type'],
  ['a number for a type', tool({ type: 1 }), 'invalid_type', 'tools[1].type'],
  ['a misspelt type', tool({ type: 'fucntion' }), 'invalid_value', 'tools[1].type'],
  ['a custom tool without its fields', tool({ type: 'custom' }), 'missing_required_parameter', 'tools[1].custom'],
  ['a custom tool without a name', tool({ type: 'custom', custom: {} }), 'missing_required_parameter', 'tools[1].custom.name'],
  ['a grammar of unknown syntax', tool({ type: 'custom', custom: { name: 'g', format: { type: 'grammar', grammar: { syntax: 'ebnf', definition: 'a' } } } }), 'invalid_value', 'tools[1].custom.format.grammar.syntax'],
  ['a grammar in the style of Responses', tool({ type: 'custom', custom: { name: 'g', format: { type: 'grammar', syntax: 'regex', definition: 'a' } } }), 'missing_required_parameter', 'tools[1].custom.format.grammar'],
  ['nothing but a hosted tool, and a choice that needs one', { tools: [{ type: 'web_search' }], tool_choice: 'required' }, 'invalid_value', 'tool_choice'],
  ['a tool without a function', tool({ function: undefined }), 'missing_required_parameter', 'tools[1].function'],
  ['a function without a name', func({ name: undefined }), 'missing_required_parameter', 'tools[1].function.name'],
  ['an empty name', func({ name: '' }), 'invalid_value', 'tools[1].function.name'],
  ['a name with a space', func({ name: 'get weather' }), 'invalid_value', 'tools[1].function.name'],
  ['a name with a line break', func({ name: 'f\n' }), 'invalid_value', 'tools[1].function.name'],
  ['a name of 65 letters', func({ name: 'x'.repeat(65) }), 'invalid_value', 'tools[1].function.name'],
  ['a name twice', func({ name: 'f' }), 'invalid_value', 'tools[1].function.name'],
  ['a number for a description', func({ description: 1 }), 'invalid_type', 'tools[1].function.description'],
  ['a list for parameters', func({ parameters: [] }), 'invalid_type', 'tools[1].function.parameters'],
  ['true for parameters', func({ parameters: true }), 'invalid_type', 'tools[1].function.parameters'],
  ['parameters that are no object', func({ parameters: { type: 'string' } }), 'invalid_json_schema', 'tools[1].function.parameters.type'],
  ['parameters of no object type', func({ parameters: { type: ['array', 'null'] } }), 'invalid_json_schema', 'tools[1].function.parameters.type'],
  ['parameters without a bottom', func({ parameters: { a: JSON.parse(nested(200)) as unknown } }), 'invalid_json_schema', 'tools[1].function.parameters'],
  ['a word for strict', func({ strict: 'yes' }), 'invalid_type', 'tools[1].function.strict'],

  ['required tools without tools', { tool_choice: 'required' }, 'invalid_value', 'tool_choice'],
  ['one tool without tools', { tools: [], tool_choice: chooseTool('f') }, 'invalid_value', 'tool_choice'],
  ['an unknown choice', withTools({ tool_choice: 'maybe' }), 'invalid_value', 'tool_choice'],
  ['a number for a choice', withTools({ tool_choice: 1 }), 'invalid_type', 'tool_choice'],
  ['a choice of unknown type', withTools({ tool_choice: { type: 'luck' } }), 'invalid_value', 'tool_choice.type'],
  ['a choice without a type', withTools({ tool_choice: { function: { name: 'f' } } }), 'missing_required_parameter', 'tool_choice.type'],
  ['a choice without a function', withTools({ tool_choice: { type: 'function' } }), 'missing_required_parameter', 'tool_choice.function'],
  ['a choice in the style of Responses', withTools({ tool_choice: { type: 'function', name: 'f' } }), 'missing_required_parameter', 'tool_choice.function'],
  ['a choice without a name', withTools({ tool_choice: { type: 'function', function: {} } }), 'missing_required_parameter', 'tool_choice.function.name'],
  ['a choice of none of the tools', withTools({ tool_choice: chooseTool('h') }), 'invalid_value', 'tool_choice.function.name'],
  ['a choice of a hostile name', withTools({ tool_choice: chooseTool('__proto__') }), 'invalid_value', 'tool_choice.function.name'],
  ['no tool allowed', withTools({ tool_choice: allowTools('auto') }), 'invalid_value', 'tool_choice.allowed_tools.tools'],
  ['none of the tools allowed', withTools({ tool_choice: allowTools('auto', 'f', 'h') }), 'invalid_value', 'tool_choice.allowed_tools.tools[1].function.name'],
  ['an unknown mode', withTools({ tool_choice: allowTools('none', 'f') }), 'invalid_value', 'tool_choice.allowed_tools.mode'],
  ['a word for parallel', withTools({ parallel_tool_calls: 'yes' }), 'invalid_type', 'parallel_tool_calls'],

  ['a string for calls', say({ role: 'assistant', tool_calls: 'f' }), 'invalid_type', 'messages[0].tool_calls'],
  ['a call without an id', calls({ ...wireCall('a', 'f'), id: undefined }), 'missing_required_parameter', 'messages[0].tool_calls[0].id'],
  ['a call with an empty id', calls(wireCall('', 'f')), 'invalid_value', 'messages[0].tool_calls[0].id'],
  ['a call of unknown type', calls({ ...wireCall('a', 'f'), type: 'luck' }), 'invalid_value', 'messages[0].tool_calls[0].type'],
  ['a custom call without its fields', calls({ ...wireCall('a', 'f'), type: 'custom' }), 'missing_required_parameter', 'messages[0].tool_calls[0].custom'],
  ['a call without a function', calls(wireCall('a', 'f'), { id: 'b', type: 'function' }), 'missing_required_parameter', 'messages[0].tool_calls[1].function'],
  ['a call without a name', calls(wireCall('a', '')), 'invalid_value', 'messages[0].tool_calls[0].function.name'],
  ['arguments that are no string', calls({ id: 'a', type: 'function', function: { name: 'f', arguments: {} } }), 'invalid_type', 'messages[0].tool_calls[0].function.arguments'],
  ['arguments without a bottom', calls(wireCall('a', 'f', `{"a":${nested(10_000)}}`)), 'invalid_value', 'messages[0].tool_calls[0].function.arguments'],
  ['an image from an assistant', say({ role: 'assistant', content: [{ type: 'image_url', image_url: {} }] }), 'invalid_value', 'messages[0].content[0].type'],
  ['a result of no call', say(result('a')), 'invalid_value', 'messages[0].tool_call_id'],
  ['a result of another call', say({ role: 'assistant', content: null, tool_calls: [wireCall('a', 'f')] }, result('a'), result('b')), 'invalid_value', 'messages[2].tool_call_id'],
  ['a second result of a call', say({ role: 'assistant', content: null, tool_calls: [wireCall('a', 'f')] }, result('a'), result('a')), 'invalid_value', 'messages[2].tool_call_id'],
  ['a result before its call', say(result('a'), { role: 'assistant', tool_calls: [wireCall('a', 'f')] }), 'invalid_value', 'messages[0].tool_call_id'],
  ['a number for a thought', say({ role: 'assistant', content: '', reasoning_content: 1 }), 'invalid_type', 'messages[0].reasoning_content'],

  ['a string for a format', { response_format: 'json' }, 'invalid_type', 'response_format'],
  ['a format without a type', format({}), 'missing_required_parameter', 'response_format.type'],
  ['an unknown format', format({ type: 'xml' }), 'invalid_value', 'response_format.type'],
  ['a schema in the wrong place', format({ type: 'text', schema: {} }), 'unsupported_value', 'response_format.schema'],
  ['a schema format without one', format({ type: 'json_schema' }), 'missing_required_parameter', 'response_format.json_schema'],
  ['a format without a name', jsonSchema({ schema: {} }), 'missing_required_parameter', 'response_format.json_schema.name'],
  ['a format with a bad name', jsonSchema({ name: 'a b', schema: {} }), 'invalid_value', 'response_format.json_schema.name'],
  ['no schema', jsonSchema({ name: 'a' }), 'missing_required_parameter', 'response_format.json_schema.schema'],
  ['a list for a schema', jsonSchema({ name: 'a', schema: [] }), 'invalid_type', 'response_format.json_schema.schema'],
  ['a schema without a bottom', jsonSchema({ name: 'a', schema: { a: JSON.parse(nested(1000)) as unknown } }), 'invalid_json_schema', 'response_format.json_schema.schema'],

  ['an unknown effort', { model: 'thinker', reasoning_effort: 'extreme' }, 'invalid_value', 'reasoning_effort'],
  ['a number for effort', { model: 'thinker', reasoning_effort: 3 }, 'invalid_type', 'reasoning_effort'],
  ['a word for reasoning', { model: 'thinker', reasoning_enabled: 'yes' }, 'invalid_type', 'reasoning_enabled'],
]; // prettier-ignore

describe('a request is refused that has', () => {
  it.each(refusals)('%s', async (_, extra, code, param) => {
    expect(await expectError(await ask(extra), code, param)).toContain(param);
    expect(service.engine.calls).toEqual([]);
    expect(service.limiter.admitted).toEqual([]);
  });
});

it('a bottomless body is refused', async () => {
  const { app } = buildApp({ jsonBodyLimitBytes: 8 * 1024 * 1024 });
  const start = '{"model":"tiny","messages":[{"role":"user","content":"x"}]';
  const deep = nested(1_000_000);
  for (const body of [
    `${start},"tools":[{"type":"function","function":{"name":"f","parameters":{"a":${deep}}}}]}`,
    `${start},"tools":${deep}}`,
    `${start},"tool_choice":${deep}}`,
    `${start},"response_format":{"type":"json_schema","json_schema":{"name":"f","schema":{"a":${deep}}}}}`,
    `{"model":"tiny","messages":[{"role":"assistant","content":"","function_call":${deep}}]}`,
  ]) {
    const response = await app.request(...chatRequest(body));
    expect(response.status).toBe(400);
  }
});

it('a hostile list is refused quickly', async () => {
  const { app } = buildApp({ jsonBodyLimitBytes: 8 * 1024 * 1024 });
  const zeros = `[${'0,'.repeat(1_000_000)}0]`;
  const start = '{"model":"tiny","messages":[{"role":"user","content":"x"}]';
  const startedAtMs = processorMs();
  for (const body of [
    `${start},"tools":${zeros}}`,
    `${start},"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":${zeros}}}}`,
    `{"model":"tiny","messages":[{"role":"assistant","tool_calls":${zeros}}]}`,
  ]) {
    const response = await app.request(...chatRequest(body));
    expect(response.status).toBe(400);
  }
  expect(processorMs() - startedAtMs).toBeLessThan(1500);
});
