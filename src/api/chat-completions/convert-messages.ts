import type { ChatMessage } from '../../engine/types.ts';
import { joinTexts, toAssistantMessage } from '../parameters/conversation.ts';
import { toTextArguments } from '../parameters/tools/custom-tools.ts';
import { toToolCall } from '../parameters/tools/tool-use.ts';
import { invalid } from '../request/validate.ts';
import type { AssistantMessageParameter, ChatMessageParameter, ContentParameter } from './message-schema.ts';

/** The conversation in the engine's form. Throws invalid_value if a tool's message answers no earlier call. */
export function toChatMessages(messages: readonly ChatMessageParameter[]): readonly ChatMessage[] {
  const callIds = new Set<string>();
  return messages.map((message, index) => {
    if (message.role === 'tool' && !callIds.has(message.tool_call_id))
      throw invalid(
        ['messages', index, 'tool_call_id'],
        'must be the id of a call in the tool_calls of an earlier assistant message',
      );
    if (message.role === 'assistant') for (const { id } of message.tool_calls ?? []) callIds.add(id);
    return toChatMessage(message);
  });
}

function toChatMessage(message: ChatMessageParameter): ChatMessage {
  switch (message.role) {
    case 'developer':
      return { role: 'system', content: toText(message.content) };
    case 'tool':
      return {
        role: 'tool',
        content: toText(message.content),
        toolCallId: message.tool_call_id.toWellFormed(),
      };
    case 'assistant':
      return fromAssistant(message);
    case 'system':
    case 'user':
      return { role: message.role, content: toText(message.content) };
    default:
      return message satisfies never;
  }
}

function fromAssistant(message: AssistantMessageParameter): ChatMessage {
  const toolCalls = (message.tool_calls ?? []).map((call) =>
    call.type === 'function'
      ? toToolCall(call.id, call.function.name, call.function.arguments)
      : toToolCall(call.id, call.custom.name, toTextArguments(call.custom.input)),
  );
  const reasoning = message.reasoning_content || message.reasoning;
  return toAssistantMessage(toText(message.content ?? ''), toolCalls, reasoning);
}

/** The text of `content`. Lone surrogates, which UTF-8 cannot hold, become U+FFFD. */
function toText(content: ContentParameter): string {
  if (typeof content === 'string') return content.toWellFormed();
  const texts: string[] = [];
  for (const part of content) {
    if (part.type === 'text') texts.push(part.text);
    else if (part.type === 'refusal') texts.push(part.refusal);
  }
  return joinTexts(texts);
}
