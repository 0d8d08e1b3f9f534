import type { ChatMessage, ToolCall } from '../../../engine/types.ts';
import type { AttachedFiles } from '../../attachments/attached-files.ts';
import { MessageContent } from '../../attachments/message-content.ts';
import { toAssistantMessage } from '../../parameters/chat-messages.ts';
import { toToolCall } from '../../parameters/tools/tool-use.ts';
import { invalid } from '../../request/validate.ts';
import type { OllamaMessage } from './schema.ts';

/**
 * The conversation in the engine's form. Results of tools name no call, or only its function: each belongs to the first
 * such call that has none. Pictures go through `files` and stand before the text. Throws invalid_value for a result
 * without a call.
 */
export function toChatMessages(
  messages: readonly OllamaMessage[],
  files: AttachedFiles,
  imagesPath: (index: number) => readonly PropertyKey[] = (index) => ['messages', index, 'images'],
): readonly ChatMessage[] {
  const open: ToolCall[] = [];
  let calls = 0;
  return messages.map((message, index): ChatMessage => {
    const shown = toContent(message, imagesPath(index), files);
    if (message.role === 'tool') {
      const { tool_call_id: id, tool_name: name } = message;
      const at = open.findIndex((call) => (id ? call.id === id : name ? call.name === name : true));
      const [answered] = at < 0 ? [] : open.splice(at, 1);
      if (answered === undefined)
        throw invalid(
          ['messages', index],
          'is the result of a tool, but no earlier message has a call without a result that it could belong to',
        );
      return { role: 'tool', ...shown, toolCallId: answered.id };
    }
    if (message.role !== 'assistant') return { role: message.role, ...shown };
    const toolCalls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: given } }) =>
      toToolCall(id ?? `call_${calls++}`, name, JSON.stringify(given ?? {})),
    );
    open.push(...toolCalls);
    return { ...toAssistantMessage(shown.content, toolCalls, message.thinking), ...shown };
  });
}

function toContent(
  { content, images }: OllamaMessage,
  path: readonly PropertyKey[],
  files: AttachedFiles,
): Pick<ChatMessage, 'content' | 'attachments'> {
  const whole = new MessageContent();
  for (const [index, image] of (images ?? []).entries())
    whole.addAttachment(
      files.addPictureData(image, { offset: 0, path: [...path, index], what: 'is an image' }),
    );
  return whole.addText(content ?? '').fields();
}
