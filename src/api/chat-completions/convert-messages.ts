import type { ChatMessage } from '../../engine/types.ts';
import type { AttachedFiles } from '../attachments/attached-files.ts';
import { MessageContent } from '../attachments/message-content.ts';
import { toAssistantMessage } from '../parameters/chat-messages.ts';
import { toTextArguments } from '../parameters/tools/custom-tools.ts';
import { toToolCall } from '../parameters/tools/tool-use.ts';
import { invalid } from '../request/validate.ts';
import type { AssistantMessageParameter, ChatMessageParameter, ContentParameter } from './message-schema.ts';

/**
 * The conversation in the engine's form. Its pictures and recordings go through `files`. Throws invalid_value if a tool's
 * message answers no earlier call.
 */
export function toChatMessages(
  messages: readonly ChatMessageParameter[],
  files: AttachedFiles,
): readonly ChatMessage[] {
  const callIds = new Set<string>();
  return messages.map((message, index) => {
    if (message.role === 'tool' && !callIds.has(message.tool_call_id))
      throw invalid(
        ['messages', index, 'tool_call_id'],
        'must be the id of a call in the tool_calls of an earlier assistant message',
      );
    if (message.role === 'assistant') for (const { id } of message.tool_calls ?? []) callIds.add(id);
    return toChatMessage(message, ['messages', index, 'content'], files);
  });
}

function toChatMessage(
  message: ChatMessageParameter,
  path: readonly PropertyKey[],
  files: AttachedFiles,
): ChatMessage {
  switch (message.role) {
    case 'developer':
      return { role: 'system', ...toContent(message.content, path, files) };
    case 'tool':
      return {
        role: 'tool',
        ...toContent(message.content, path, files),
        toolCallId: message.tool_call_id.toWellFormed(),
      };
    case 'assistant':
      return fromAssistant(message, path, files);
    case 'system':
    case 'user':
      return { role: message.role, ...toContent(message.content, path, files) };
    default:
      return message satisfies never;
  }
}

function fromAssistant(
  message: AssistantMessageParameter,
  path: readonly PropertyKey[],
  files: AttachedFiles,
): ChatMessage {
  const toolCalls = (message.tool_calls ?? []).map((call) =>
    call.type === 'function'
      ? toToolCall(call.id, call.function.name, call.function.arguments)
      : toToolCall(call.id, call.custom.name, toTextArguments(call.custom.input)),
  );
  const reasoning = message.reasoning_content || message.reasoning;
  const { content } = toContent(message.content ?? '', path, files);
  return toAssistantMessage(content, toolCalls, reasoning);
}

function toContent(
  content: ContentParameter,
  path: readonly PropertyKey[],
  files: AttachedFiles,
): Pick<ChatMessage, 'content' | 'attachments'> {
  const whole = new MessageContent();
  if (typeof content === 'string') return whole.addText(content).fields();
  for (const [index, part] of content.entries()) {
    const place = { offset: whole.end, path: [...path, index], what: `is of type ${part.type}` };
    switch (part.type) {
      case 'text':
        whole.addText(part.text);
        break;
      case 'refusal':
        whole.addText(part.refusal);
        break;
      case 'image_url':
        whole.addAttachment(files.addPicture(part.image_url, place));
        break;
      case 'input_audio':
        whole.addAttachment(files.addSound(part.input_audio.data, place));
    }
  }
  return whole.fields();
}
