import { t } from '../../texts.ts';
import { branchOf, type Conversation, type Message } from '../conversations/conversation.ts';
import { numberParameters } from '../settings/parameters.ts';
import { toChatRequest, withTexts, type ReadBase64 } from './request.ts';

/** Parameters that have the same name in both APIs: all numbers of the settings but one. */
const sameNames: readonly string[] = [
  'model',
  'stream',
  'logit_bias',
  'stop',
  ...numberParameters.map(({ wire }) => wire).filter((wire) => wire !== 'max_completion_tokens'),
];

interface ChatBody {
  readonly max_completion_tokens?: number;
  readonly reasoning_effort?: string;
  readonly response_format?: { readonly json_schema: object };
  readonly tools?: readonly { readonly type: string; readonly function?: object }[];
}

/**
 * The body of the response that continues the shown branch of `conversation`, with the tools of its servers. Throws where
 * a recording is attached, which responses cannot have.
 */
export function toServersRequest(
  conversation: Conversation,
  model: string,
  base64Of: ReadBase64,
): Record<string, unknown> {
  const chat = toChatRequest(conversation, model, base64Of);
  const {
    max_completion_tokens: maxTokens,
    reasoning_effort: effort,
    response_format: format,
    tools = [],
  } = chat as ChatBody;
  const { system, servers = [] } = conversation.settings;
  return {
    ...Object.fromEntries(Object.entries(chat).filter(([name]) => sameNames.includes(name))),
    store: false,
    ...(system?.trim() && { instructions: system.trim() }),
    input: branchOf(conversation)
      .filter(({ error, content }) => error === undefined || content !== '')
      .flatMap((message) => toItems(message, base64Of)),
    tools: [
      ...tools.map((tool) => ({ type: 'function', ...tool.function })),
      // The operator sets which calls need approval; the page asks for none of its own.
      ...servers.map((label) => ({ type: 'mcp', server_label: label, require_approval: 'never' })),
    ],
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
    ...(effort !== undefined && { reasoning: { effort } }),
    ...(format !== undefined && { text: { format: { type: 'json_schema', ...format.json_schema } } }),
  };
}

function toItems(message: Message, base64Of: ReadBase64): readonly object[] {
  const { role, content, items, attachments = [], toolCallId, toolCalls = [], approves } = message;
  if (approves !== undefined)
    return [{ type: 'mcp_approval_response', approval_request_id: toolCallId, approve: approves }];
  if (role === 'tool') return [{ type: 'function_call_output', call_id: toolCallId, output: content }];
  if (role === 'user') {
    const sound = attachments.find(({ kind }) => kind === 'audio');
    if (sound !== undefined) throw new Error(t.servers.noSound(sound.name));
    const pictures = attachments.flatMap((file) =>
      file.kind === 'image'
        ? { type: 'input_image', image_url: `data:${file.type};base64,${base64Of(file)}` }
        : [],
    );
    return [{ role, content: [...pictures, { type: 'input_text', text: withTexts(content, attachments) }] }];
  }
  const made = items?.filter((item) => !('status' in item) || item.status !== 'in_progress');
  if (items !== undefined && made?.length === items.length) return items;
  const calls = toolCalls.map(({ id, name, arguments: args }) => ({
    type: 'function_call',
    call_id: id,
    name,
    arguments: args,
  }));
  // Of an answer that broke off the page has more text than its parts.
  const whole = made?.filter(({ type }) => type === 'mcp_call') ?? [];
  return [...whole, ...(content === '' ? [] : [{ role, content }]), ...calls];
}
