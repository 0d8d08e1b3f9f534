import type { ChatMessage } from '../../engine/types.ts';
import type { AttachedFiles } from '../attachments/attached-files.ts';
import { MessageContent } from '../conversation/message-content.ts';
import { Conversation } from '../conversation/conversation.ts';
import { toTextArguments } from '../parameters/tools/custom-tools.ts';
import type { AssistantMessageParameter, ChatMessageParameter, ContentParameter } from './message-schema.ts';

/**
 * The conversation in the engine's form. Its pictures and recordings go through `files`. Throws invalid_value if a tool's
 * message answers no earlier call.
 */
export function toChatMessages(
  messages: readonly ChatMessageParameter[],
  files: AttachedFiles,
): readonly ChatMessage[] {
  const conversation = new Conversation();
  for (const [index, message] of messages.entries()) {
    const contentOf = (content: ContentParameter) =>
      toContent(content, ['messages', index, 'content'], files);
    if (message.role === 'assistant') {
      addAnswer(conversation, message, contentOf);
    } else if (message.role === 'tool') {
      conversation.expectOpen(
        message.tool_call_id,
        ['messages', index, 'tool_call_id'],
        'a call in the tool_calls of an earlier assistant message',
      );
      conversation.addResult(message.tool_call_id, contentOf(message.content));
    } else {
      conversation.add(message.role === 'user' ? 'user' : 'system', contentOf(message.content));
    }
  }
  return conversation.messages;
}

function addAnswer(
  conversation: Conversation,
  { content, tool_calls: calls, reasoning_content: thought, reasoning }: AssistantMessageParameter,
  contentOf: (content: ContentParameter) => MessageContent,
): void {
  conversation.endTurn();
  conversation.think(thought || reasoning || '');
  conversation.say(contentOf(content ?? '').text);
  for (const call of calls ?? [])
    if (call.type === 'function') conversation.call(call.id, call.function.name, call.function.arguments);
    else conversation.call(call.id, call.custom.name, toTextArguments(call.custom.input));
}

function toContent(
  content: ContentParameter,
  path: readonly PropertyKey[],
  files: AttachedFiles,
): MessageContent {
  const whole = new MessageContent();
  if (typeof content === 'string') return whole.addText(content);
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
        break;
      case 'file':
        throw files.refuseFile(place.path);
    }
  }
  return whole;
}
