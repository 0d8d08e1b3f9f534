import type { ChatMessage } from '../../engine/types.ts';
import { isPictureFile, type AttachedFiles } from '../attachments/attached-files.ts';
import { readContent, type ContentPart, type MessageContent } from '../conversation/message-content.ts';
import { Conversation } from '../conversation/conversation.ts';
import { toTextArguments } from '../parameters/tools/custom-tools.ts';
import type { AssistantMessageParameter, ChatMessageParameter, ContentParameter } from './message-schema.ts';

/** The conversation in the engine's form. Throws invalid_value if a tool's message answers no earlier call. */
export function toChatMessages(
  messages: readonly ChatMessageParameter[],
  files: AttachedFiles,
): readonly ChatMessage[] {
  const conversation = new Conversation();
  for (const [index, message] of messages.entries()) {
    const contentOf = (content: ContentParameter) =>
      readContent<Part>(content, ['messages', index, 'content'], files, toPart);
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

type Part = Exclude<ContentParameter, string>[number];

function toPart(part: Part): ContentPart {
  const what = `is of type ${part.type}`;
  if (part.type === 'text') return part;
  if (part.type === 'refusal') return { text: part.refusal };
  if (part.type === 'image_url') return { add: 'addPicture', data: part.image_url, what };
  if (part.type === 'input_audio') return { add: 'addSound', data: part.input_audio.data, what };
  const data = part.file.file_data ?? '';
  const isPicture: boolean = isPictureFile(data);
  if (isPicture) return { add: 'addPicture', data, what };
  return { add: 'addSound', data: data.slice(data.indexOf(',') + 1), what };
}
