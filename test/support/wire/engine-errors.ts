import type { ErrorCode } from '../../../src/errors/errors.ts';

/** A request that every engine must refuse, and how: in the engine's own words, and as the client reads it. */
export interface EngineErrorCase {
  readonly name: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly code: ErrorCode;
  /** The parameter that the engine names. */
  readonly engineParam: string;
  /** The same parameter as it stands in `body`. */
  readonly wireParam: string;
}

const impossible = { type: 'object', properties: { a: { type: 'integer', multipleOf: 1e9 } } };
const possible = { type: 'object', properties: { a: { type: 'integer' } } };
const message = { role: 'user', content: 'Hello' };
/** More tokens than any model of the tests holds. */
const endless = 'many words '.repeat(4000);
/** Only a tool that is strict is refused for keywords that cannot be guaranteed. */
const strictTool = (name: string, parameters: object) => ({ name, parameters, strict: true });
const chatTool = (name: string, parameters: object) => ({
  type: 'function',
  function: strictTool(name, parameters),
});
const responsesTool = (name: string, parameters: object) => ({
  type: 'function',
  ...strictTool(name, parameters),
});

/** Model `tiny` is meant by all of them. */
export const engineErrorCases: readonly EngineErrorCase[] = [
  {
    name: 'chat: a schema of the answer that cannot be guaranteed',
    path: '/v1/chat/completions',
    body: {
      messages: [message],
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema: impossible } },
    },
    code: 'invalid_json_schema',
    engineParam: 'schema.properties.a.multipleOf',
    wireParam: 'response_format.json_schema.schema.properties.a.multipleOf',
  },
  {
    name: 'chat: a schema of a strict tool that cannot be guaranteed',
    path: '/v1/chat/completions',
    body: { messages: [message], tools: [chatTool('good', possible), chatTool('bad', impossible)] },
    code: 'invalid_json_schema',
    engineParam: 'tools[1].parameters.properties.a.multipleOf',
    wireParam: 'tools[1].function.parameters.properties.a.multipleOf',
  },
  {
    name: 'chat: a conversation beyond the context',
    path: '/v1/chat/completions',
    body: { messages: [{ role: 'user', content: endless }] },
    code: 'context_length_exceeded',
    engineParam: 'messages',
    wireParam: 'messages',
  },
  {
    name: 'chat: a bias for a token that the model does not have',
    path: '/v1/chat/completions',
    body: { messages: [message], logit_bias: { 99999999: 1 } },
    code: 'invalid_value',
    engineParam: 'logit_bias',
    wireParam: 'logit_bias',
  },
  {
    name: 'responses: a schema of the answer that cannot be guaranteed',
    path: '/v1/responses',
    body: { input: 'Hello', text: { format: { type: 'json_schema', name: 'a', schema: impossible } } },
    code: 'invalid_json_schema',
    engineParam: 'schema.properties.a.multipleOf',
    wireParam: 'text.format.schema.properties.a.multipleOf',
  },
  {
    name: 'responses: a schema of a strict tool that cannot be guaranteed',
    path: '/v1/responses',
    body: { input: 'Hello', tools: [responsesTool('good', possible), responsesTool('bad', impossible)] },
    code: 'invalid_json_schema',
    engineParam: 'tools[1].parameters.properties.a.multipleOf',
    wireParam: 'tools[1].parameters.properties.a.multipleOf',
  },
  {
    name: 'responses: a conversation beyond the context',
    path: '/v1/responses',
    body: { input: endless },
    code: 'context_length_exceeded',
    engineParam: 'messages',
    wireParam: 'input',
  },
  {
    name: 'completions: a prompt beyond the context',
    path: '/v1/completions',
    body: { prompt: endless },
    code: 'context_length_exceeded',
    engineParam: 'prompt',
    wireParam: 'prompt',
  },
  {
    name: 'completions: a token that the model does not have',
    path: '/v1/completions',
    body: { prompt: [5, 99999999] },
    code: 'invalid_value',
    engineParam: 'prompt[1]',
    wireParam: 'prompt[1]',
  },
];
