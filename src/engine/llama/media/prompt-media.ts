/**
 * Attachments in a conversation. Where one stands, the template gets a mark, two private-use characters that no message
 * has side by side and that are drawn anew for each request, so that nobody can write one. The rendered prompt is cut at
 * the marks.
 */
import { AppError } from '../../../errors/errors.ts';
import { conversationTexts, type Conversation } from '../../prompt/conversation.ts';
import { unusedMark } from '../../prompt/text/control-texts.ts';
import { textsAround } from '../../prompt/split-at-attachments.ts';
import type { Attachment, ChatMessage } from '../../types.ts';

export interface MarkedConversation {
  readonly conversation: Conversation;
  /** In the order in which they stand in the conversation. */
  readonly attachments: readonly Attachment[];
  /** Undefined: there are no attachments. */
  readonly mark: string | undefined;
}

/** The conversation with a mark where each of its attachments stands. */
export function markAttachments(conversation: Conversation): MarkedConversation {
  const attachments = conversation.messages.flatMap((message) => message.attachments ?? []);
  if (attachments.length === 0) return { conversation, attachments, mark: undefined };
  const mark = unusedMark(conversationTexts(conversation));
  const messages = conversation.messages.map((message) => withMarks(message, mark));
  return { conversation: { ...conversation, messages }, attachments, mark };
}

function withMarks({ attachments = [], ...message }: ChatMessage, mark: string): ChatMessage {
  return { ...message, content: textsAround(message.content, attachments).join(mark) };
}

/** The texts between the attachments of a rendered prompt. Throws AppError where the template left some of them out. */
export function textsBetween(rendered: string, mark: string, attachments: number): string[] {
  const texts = rendered.split(mark);
  if (texts.length === attachments + 1) return texts;
  throw new AppError(
    'invalid_value',
    `The model's chat template shows ${texts.length - 1} of ${attachments} attachments. Send them in messages of the user.`,
    { param: 'messages' },
  );
}
