import type { ResponseObject } from '../../../src/api/responses/response-schema.ts';
import type { OutputItem } from '../../../src/api/responses/items/items.ts';
import type { ChatMessage, GenerationRequest } from '../../../src/engine/types.ts';
import type { McpServerSpec } from '../../../src/mcp/server-spec.ts';
import type { Script } from './fake-engine.ts';

/** A server of tools that is the Node program `words`. */
export function toolServer(
  label: string,
  words: readonly string[],
  changes: Partial<McpServerSpec> = {},
): McpServerSpec {
  return {
    label,
    transport: { kind: 'command', command: process.execPath, args: words, env: { GREETING: 'hello' } },
    tools: undefined,
    accounts: ['local'],
    approval: 'never',
    timeoutMs: 20_000,
    outputLimitBytes: 1000,
    ...changes,
  };
}

export const messagesOf = ({ prompt }: GenerationRequest): readonly ChatMessage[] =>
  prompt.kind === 'messages' ? prompt.messages : [];

/** The model calls `calls` one turn after the other, and then repeats the last result. */
export const calling =
  (...calls: readonly (readonly [name: string, args: unknown])[]) =>
  (request: GenerationRequest): Script => {
    const results = messagesOf(request).filter(({ role }) => role === 'tool');
    const call = request.tools === undefined ? undefined : calls[results.length];
    if (call === undefined) return { steps: [{ text: `It says: ${results.at(-1)?.content}` }] };
    const [name, args] = call;
    const text = typeof args === 'string' ? args : JSON.stringify(args);
    return { steps: [{ text: 'So.' }, { call: name }, { arguments: text }], finishReason: 'tool_calls' };
  };

export const free = (label: string, more: object = {}) => ({
  type: 'mcp',
  server_label: label,
  require_approval: 'never',
  ...more,
});

export const types = (output: readonly OutputItem[]) => output.map(({ type }) => type);
export const itemOf = <Type extends OutputItem['type']>({ output }: ResponseObject, type: Type) => {
  const item = output.findLast((one): one is Extract<OutputItem, { type: Type }> => one.type === type);
  if (item === undefined) throw new Error(`no ${type}`);
  return item;
};
export const textOf = (response: ResponseObject) => itemOf(response, 'message').content[0]?.text;
