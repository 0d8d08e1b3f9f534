import type { ChatMessage } from '../../../engine/types.ts';
import type { AttachedFiles } from '../../attachments/attached-files.ts';
import { readContent, type MessageContent } from '../../conversation/message-content.ts';
import { Conversation } from '../../conversation/conversation.ts';
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
  const conversation = new Conversation();
  const open: { readonly id: string; readonly name: string }[] = [];
  let calls = 0;
  for (const [index, message] of messages.entries()) {
    const content = toContent(message, imagesPath(index), files);
    if (message.role === 'tool') {
      const { tool_call_id: id, tool_name: name } = message;
      const at = open.findIndex((call) => (id ? call.id === id : name ? call.name === name : true));
      const [answered] = at < 0 ? [] : open.splice(at, 1);
      if (answered === undefined)
        throw invalid(
          ['messages', index],
          'is the result of a tool, but no earlier message has a call without a result that it could belong to',
        );
      conversation.addResult(answered.id, content);
    } else if (message.role === 'assistant') {
      conversation.endTurn();
      conversation.think(message.thinking ?? '');
      conversation.say(content.text, content.attachments);
      for (const { id: asked, function: called } of message.tool_calls ?? []) {
        const { name, arguments: given } = called;
        const id = asked ?? `call_${calls++}`;
        conversation.call(id, name, JSON.stringify(given ?? {}));
        open.push({ id, name });
      }
    } else conversation.add(message.role, content);
  }
  return conversation.messages;
}

function toContent(
  { content, images }: OllamaMessage,
  path: readonly PropertyKey[],
  files: AttachedFiles,
): MessageContent {
  const toPart = (data: string) => ({ add: 'addPictureData', data, what: 'is an image' }) as const;
  return readContent(images ?? [], path, files, toPart).addText(content ?? '');
}
