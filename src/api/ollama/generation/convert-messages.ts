import type { ChatMessage, ToolCall } from '../../../engine/types.ts';
import { toAssistantMessage } from '../../parameters/conversation.ts';
import { toToolCall } from '../../parameters/tools/tool-use.ts';
import { invalid, notUnderstood } from '../../request/validate.ts';
import type { OllamaMessage } from './schema.ts';

/**
 * The conversation in the engine's form. Results of tools name no call, or only its function: each belongs to the first
 * such call that has none. Throws unsupported_content for images, and invalid_value for a result without a call.
 */
export function toChatMessages(messages: readonly OllamaMessage[]): readonly ChatMessage[] {
  const open: ToolCall[] = [];
  let calls = 0;
  return messages.map((message, index): ChatMessage => {
    refuseImages(message.images, ['messages', index, 'images']);
    const content = (message.content ?? '').toWellFormed();
    if (message.role === 'tool') {
      const { tool_call_id: id, tool_name: name } = message;
      const at = open.findIndex((call) => (id ? call.id === id : name ? call.name === name : true));
      const [answered] = at < 0 ? [] : open.splice(at, 1);
      if (answered === undefined)
        throw invalid(
          ['messages', index],
          'is the result of a tool, but no earlier message has a call without a result that it could belong to',
        );
      return { role: 'tool', content, toolCallId: answered.id };
    }
    if (message.role !== 'assistant') return { role: message.role, content };
    const toolCalls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: given } }) =>
      toToolCall(id ?? `call_${calls++}`, name, JSON.stringify(given ?? {})),
    );
    open.push(...toolCalls);
    return toAssistantMessage(content, toolCalls, message.thinking);
  });
}

/** Throws unsupported_content where there are images at `path`. */
export function refuseImages(
  images: readonly unknown[] | null | undefined,
  path: readonly PropertyKey[],
): void {
  if ((images?.length ?? 0) > 0) throw notUnderstood(path, 'has images');
}
