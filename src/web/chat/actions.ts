import { chatModel } from '../state/models.ts';
import { answer } from './answer.ts';
import { append, newId, showBranch, type Conversation, type Message } from './conversations/conversation.ts';
import { changeConversation } from './conversations/store.ts';

/** Changes the stored conversation, whatever was shown of it, and has the chosen model answer its end. */
function changeAndAnswer(conversationId: string, change: (old: Conversation) => Conversation): void {
  const model = chatModel.value;
  if (model === undefined) return;
  changeConversation(conversationId, change);
  void answer(conversationId, model.id);
}

/** Another answer in place of `message`, as a version beside it. */
export function answerAgain(conversationId: string, { parentId }: Message): void {
  changeAndAnswer(conversationId, (old) => ({ ...old, leafId: parentId }));
}

/** The rest of `message`, an answer that ends the shown branch, by the model that began it. */
export function continueAnswer(conversationId: string, message: Message): void {
  const model = message.model ?? chatModel.value?.id;
  if (model !== undefined) void answer(conversationId, model, message);
}

/** The question `message` with another text, as a version beside it. */
export function resend(conversationId: string, message: Message, text: string): void {
  const version = { ...message, id: newId(), content: text };
  changeAndAnswer(conversationId, (old) => append({ ...old, leafId: message.parentId }, version));
}

/** Shows the branch that goes through a version of a message. */
export function turnTo(conversationId: string, messageId: string): void {
  changeConversation(conversationId, (old) => showBranch(old, messageId));
}

/** Gives the model the result of each call of `message`, in their order. */
export function sendResults(
  conversationId: string,
  { toolCalls = [] }: Message,
  results: readonly string[],
): void {
  changeAndAnswer(conversationId, (old) =>
    toolCalls.reduce(
      (grown, { id, name }, index) =>
        append(grown, {
          id: newId(),
          parentId: grown.leafId,
          role: 'tool',
          toolCallId: id,
          toolName: name,
          content: results[index] ?? '',
        }),
      old,
    ),
  );
}
