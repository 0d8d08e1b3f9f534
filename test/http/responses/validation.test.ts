import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectError } from '../../support/wire/error-envelope.ts';
import { listenWithStore } from '../../support/fakes/responses-service.ts';
import type { ResponsesService } from '../../support/fakes/responses-service.ts';

let service: ResponsesService;
beforeAll(async () => {
  service = await listenWithStore({ jsonBodyLimitBytes: 1024 * 1024 });
});
afterAll(() => service.close());

const user = { role: 'user', content: 'Hi' };
const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' };
const tool = { type: 'function', name: 'f', parameters: {} };
const custom = (format: object) => ({ type: 'custom', name: 'f', format });
const format = (value: object) => ({
  text: { format: { type: 'json_schema', name: 'n', schema: {}, ...value } },
});
const deep = JSON.parse(`${'[['.repeat(100)}${']]'.repeat(100)}`) as unknown;

it.each([
  { body: { model: undefined }, code: 'missing_required_parameter', param: 'model' },
  { body: { model: 'nothing' }, code: 'model_not_found', param: 'model' },
  { body: { model: 'ears' }, code: 'unsupported_value', param: 'model' },
  { body: { input: undefined }, code: 'missing_required_parameter', param: 'input' },
  { body: { input: 5 }, code: 'invalid_type', param: 'input' },
  { body: { input: [] }, code: 'invalid_value', param: 'input' },
  { body: { input: ['Hi'] }, code: 'invalid_type', param: 'input[0]' },
  { body: { input: [{ role: 'user' }] }, code: 'missing_required_parameter', param: 'input[0].content' },
  { body: { input: [{ role: 'tool', content: 'a' }] }, code: 'invalid_value', param: 'input[0].role' },
  { body: { input: [{}] }, code: 'missing_required_parameter', param: 'input[0].id' },
  { body: { input: [{ type: 5 }] }, code: 'invalid_type', param: 'input[0].type' },
  { body: { input: [{ type: 'web_search_call', id: 'ws_1' }] }, code: 'missing_required_parameter', param: 'input' },
  { body: { input: [{ type: 'function_cal', call_id: 'c' }] }, code: 'unsupported_value', param: 'input[0].type' },
  { body: { input: [{ type: 'a b' }] }, code: 'unsupported_value', param: 'input[0].type' },
  { body: { input: [user, { role: 'user', content: [{ type: 'text', text: 'a' }] }] }, code: 'invalid_value', param: 'input[1].content[0].type' },
  { body: { input: [{ role: 'user', content: [image] }] }, code: 'unsupported_content', param: 'input[0].content[0]' },
  { body: { input: [{ role: 'user', content: [{ type: 'input_file' }] }] }, code: 'invalid_value', param: 'input[0].content[0]' },
  { body: { input: [{ type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }, { type: 'function_call_output', call_id: 'c', output: [image] }] }, code: 'unsupported_content', param: 'input[1].output[0]' },
  { body: { input: [{ type: 'function_call_output', call_id: 'c', output: 'a' }] }, code: 'invalid_value', param: 'input[0].call_id' },
  { body: { input: [{ type: 'function_call', call_id: 'c', name: 'f', arguments: '['.repeat(1000) }] }, code: 'invalid_value', param: 'input[0].arguments' },
  { body: { input: [{ type: 'item_reference' }] }, code: 'missing_required_parameter', param: 'input[0].id' },
  { body: { input: [{ type: 'item_reference', id: 'msg_1' }] }, code: 'not_found', param: 'input[0].id' },
  { body: { input: Array.from({ length: 4097 }, () => user) }, code: 'invalid_value', param: 'input' },
  { body: { instructions: [user] }, code: 'invalid_type', param: 'instructions' },
  { body: { previous_response_id: 'resp_1' }, code: 'previous_response_not_found', param: 'previous_response_id' },
  { body: { previous_response_id: '' }, code: 'invalid_value', param: 'previous_response_id' },
  { body: { store: 'yes' }, code: 'invalid_type', param: 'store' },
  { body: { max_output_tokens: 0 }, code: 'invalid_value', param: 'max_output_tokens' },
  { body: { temperature: 3 }, code: 'invalid_value', param: 'temperature' },
  { body: { top_logprobs: 21 }, code: 'invalid_value', param: 'top_logprobs' },
  { body: { truncation: 'some' }, code: 'invalid_value', param: 'truncation' },
  { body: { include: ['web_search_calls'] }, code: 'unsupported_value', param: 'include[0]' },
  { body: { tools: [{ type: 'fucntion', name: 'f' }] }, code: 'invalid_value', param: 'tools[0].type' },
  { body: { tools: [{ type: 'web search' }] }, code: 'invalid_value', param: 'tools[0].type' },
  { body: { tools: [{ type: 'custom' }] }, code: 'missing_required_parameter', param: 'tools[0].name' },
  { body: { tools: [custom({ type: 'grammar', syntax: 'ebnf', definition: 'a' })] }, code: 'invalid_value', param: 'tools[0].format.syntax' },
  { body: { tools: [custom({ type: 'grammar', syntax: 'regex', definition: '' })] }, code: 'invalid_value', param: 'tools[0].format.definition' },
  { body: { tools: [custom({ type: 'grammar', syntax: 'regex', definition: 'a'.repeat(16_385) })] }, code: 'invalid_value', param: 'tools[0].format.definition' },
  { body: { tools: [{ type: 'namespace', tools: [] }] }, code: 'missing_required_parameter', param: 'tools[0].name' },
  { body: { tools: [{ type: 'namespace', name: 'n', tools: [tool, { ...tool, name: 'a b' }] }] }, code: 'invalid_value', param: 'tools[0].tools[1].name' },
  { body: { tools: [{ type: 'namespace', name: 'n', tools: [tool, tool] }] }, code: 'invalid_value', param: 'tools[0].tools[1].name' },
  { body: { tools: [{ type: 'namespace', name: 'n', tools: Array.from({ length: 200 }, (_, at) => ({ ...tool, name: `f${at}` })) }, { type: 'namespace', name: 'm', tools: Array.from({ length: 200 }, (_, at) => ({ ...tool, name: `f${at}` })) }] }, code: 'invalid_value', param: 'tools', says: '400' },
  { body: { input: [{ type: 'additional_tools', role: 'user', tools: [] }] }, code: 'invalid_value', param: 'input[0].role' },
  { body: { input: [{ type: 'additional_tools', role: 'developer', tools: [{ type: 'web_search' }, { ...tool, parameters: { type: 'string' } }] }] }, code: 'invalid_json_schema', param: 'input[0].tools[1].parameters.type' },
  { body: { input: [{ type: 'custom_tool_call', call_id: 'c', name: 'f' }] }, code: 'missing_required_parameter', param: 'input[0].input' },
  { body: { input: [{ type: 'custom_tool_call_output', call_id: 'c', output: 'a' }] }, code: 'invalid_value', param: 'input[0].call_id' },
  { body: { input: [{ type: 'custom_tool_call', call_id: 'c', name: 'f', input: '' }, { type: 'custom_tool_call_output', call_id: 'c', output: [image] }] }, code: 'unsupported_content', param: 'input[1].output[0]' },
  { body: { input: [{ type: 'tool_search_call', call_id: 'c', arguments: 'a' }] }, code: 'invalid_type', param: 'input[0].arguments' },
  { body: { input: [{ type: 'tool_search_output', call_id: 'c', tools: [] }] }, code: 'invalid_value', param: 'input[0].call_id' },
  { body: { tools: [{ type: 'web_search' }], tool_choice: 'required' }, code: 'invalid_value', param: 'tool_choice' },
  { body: { tools: [tool, { type: 'web_search' }], tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'web_search' }] } }, code: 'unsupported_value', param: 'tool_choice.tools' },
  { body: { tools: [tool], tool_choice: { type: 'custom', name: 'f' } }, code: 'invalid_value', param: 'tool_choice.name' },
  { body: { tools: [{ type: 'function', function: { name: 'f' } }] }, code: 'missing_required_parameter', param: 'tools[0].name' },
  { body: { tools: [tool, tool] }, code: 'invalid_value', param: 'tools[1].name' },
  { body: { tools: [{ ...tool, parameters: { type: 'string' } }] }, code: 'invalid_json_schema', param: 'tools[0].parameters.type' },
  { body: { tools: [{ ...tool, parameters: { a: deep } }] }, code: 'invalid_json_schema', param: 'tools[0].parameters' },
  { body: { tool_choice: 'required' }, code: 'invalid_value', param: 'tool_choice' },
  { body: { tools: [tool], tool_choice: { type: 'function', name: 'g' } }, code: 'invalid_value', param: 'tool_choice.name' },
  { body: { tools: [tool], tool_choice: { type: 'web_search' } }, code: 'invalid_value', param: 'tool_choice.type' },
  { body: { tools: [tool], tool_choice: { type: 'allowed_tools', tools: [{ type: 'function', name: 'g' }] } }, code: 'invalid_value', param: 'tool_choice.tools[0].name' },
  { body: format({ schema: undefined }), code: 'missing_required_parameter', param: 'text.format.schema' },
  { body: format({ name: 'a b' }), code: 'invalid_value', param: 'text.format.name' },
  { body: format({ type: 'xml' }), code: 'invalid_value', param: 'text.format.type' },
  { body: { text: { verbosity: 'loud' } }, code: 'invalid_value', param: 'text.verbosity' },
  { body: { reasoning: { effort: 'low' } }, code: 'unsupported_value', param: 'reasoning.effort' },
  { body: { reasoning: { effort: 'hard' } }, code: 'invalid_value', param: 'reasoning.effort' },
  { body: { reasoning: { summary: 'long' } }, code: 'invalid_value', param: 'reasoning.summary' },
  { body: { background: true }, code: 'unsupported_value', param: 'background' },
  { body: { conversation: 'conv_1' }, code: 'unsupported_value', param: 'conversation' },
  { body: { prompt: { id: 'pmpt_1' } }, code: 'unsupported_value', param: 'prompt' },
  { body: { context_management: [{ type: 'compaction' }] }, code: 'unsupported_value', param: 'context_management' },
  { body: { moderation: { model: 'm' } }, code: 'unsupported_value', param: 'moderation' },
  { body: { stream_options: { include_obfuscation: true } }, code: 'unsupported_value', param: 'stream_options.include_obfuscation' },
  { body: { metadata: { a: 5 } }, code: 'invalid_value', param: 'metadata.a' },
  { body: { metadata: { ['a'.repeat(65)]: 'b' } }, code: 'invalid_value', param: 'metadata' },
  { body: { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`${at}`, ''])) }, code: 'invalid_value', param: 'metadata' },
  { body: { user: 'a'.repeat(513) }, code: 'invalid_value', param: 'user' },
  { body: { max_output_token: 5 }, code: 'unknown_parameter', param: 'max_output_token' },
] as const)('$body is $code at $param', async ({ body, code, param, ...rest }) => {
  const message = await expectError(await service.post({ input: 'Hi', ...body }), code, param);
  if ('says' in rest) expect(message).toContain(rest.says);
  expect(service.engine.calls).toHaveLength(0);
}); // prettier-ignore

it.each([
  { background: false, conversation: null, prompt: null, moderation: null, context_management: [] },
  { store: null, instructions: null, previous_response_id: null, tools: null, text: null, reasoning: null },
  { stream_options: { include_obfuscation: false }, service_tier: 'priority', prompt_cache_retention: '24h' },
  { reasoning: { effort: null, summary: 'auto' }, text: { format: null, verbosity: null } },
  { input: [{ role: 'assistant', content: [], id: null, status: null, phase: 'commentary' }, user] },
  { input: [{ type: 'mcp_list_tools', server_label: 's', tools: [{ name: 'f', input_schema: {} }] }, user] },
  { input: [user, { type: 'mcp_call', server_label: 's', name: 'f', arguments: '{}', output: 'r' }] },
])('%o asks for nothing that is not there', async (body) => {
  const answer = await service.post({ input: 'Hi', ...body });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-ignored-parameters')).toBeNull();
  service.engine.calls.length = 0;
});

it('names what it ignores', async () => {
  const answer = await service.post({ input: 'Hi', cachePrompt: true });
  expect(answer.headers.get('x-ignored-parameters')).toBe('cachePrompt');
  service.engine.script = { steps: [], ignored: ['schema.mystery', 'tools[0].parameters.mystery'] };
  const ofSchemas = await service.post({ input: 'Hi' });
  expect(ofSchemas.headers.get('x-ignored-parameters')).toBe(
    'text.format.schema.mystery, tools[0].parameters.mystery',
  );
});

it('takes a conversation that was begun elsewhere as it says, and names what it leaves out', async () => {
  service.engine.script = { steps: [{ text: 'So.' }] };
  const call = { type: 'shell_call', id: 'sh_1', call_id: 'c', action: { commands: ['ls'] }, status: 'completed' };
  const input = [
    user,
    { type: 'reasoning', summary: [], encrypted_content: 'gAAAA' },
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Look.' }], encrypted_content: 'gAAAA' },
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'a' } },
    { type: 'computer_call_output', call_id: 'x', output: { type: 'computer_screenshot', image_url: 'a' } },
    { type: 'compaction', encrypted_content: 'gAAAA' },
    call,
    { type: 'shell_call_output', call_id: 'c', output: [{ stdout: 'a.txt', stderr: '' }] },
    { type: 'apply_patch_call', call_id: 'd', operation: { type: 'delete_file', path: 'a.txt' } },
    { type: 'apply_patch_call_output', call_id: 'd', status: 'completed', output: 'Done.' },
  ];
  const include = ['web_search_call.action.sources', 'code_interpreter_call.outputs'];
  const answer = await service.post({ input, include, tools: [{ type: 'web_search' }], store: true });
  expect(answer.status, await answer.clone().text()).toBe(200);
  expect(answer.headers.get('x-ignored-parameters')?.split(', ')).toEqual([
    'tools.web_search',
    'input.reasoning.encrypted_content',
    'input.web_search_call',
    'input.computer_call_output',
    'input.compaction.encrypted_content',
    'include.web_search_call.action.sources',
    'include.code_interpreter_call.outputs',
  ]);
  const { prompt } = service.engine.lastCall.request;
  expect(prompt.kind === 'messages' && prompt.messages).toMatchObject([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', reasoning: 'Look.', toolCalls: [{ id: 'c', name: 'shell', arguments: '{"action":{"commands":["ls"]}}' }] },
    { role: 'tool', toolCallId: 'c', content: '[{"stdout":"a.txt","stderr":""}]' },
    { role: 'assistant', toolCalls: [{ id: 'd', name: 'apply_patch' }] },
    { role: 'tool', toolCallId: 'd', content: 'Done.' },
  ]);
}); // prettier-ignore
