import { signal } from '@preact/signals';
import { chatModel } from '../state/models.ts';
import { answer } from './answers/answer.ts';
import {
  append,
  followingOf,
  newId,
  removeMessage,
  showBranch,
  type Attachment,
  type Conversation,
  type Message,
} from './conversations/conversation.ts';
import { askedTogether, endFor, isCompared } from './conversations/compared.ts';
import { changeConversation, findConversation, putConversation } from './conversations/store.ts';

/** Changes the stored conversation, whatever was shown of it, and has the chosen model answer its end. */
export function changeAndAnswer(
  conversationId: string,
  change: (old: Conversation) => Conversation,
  model = chatModel.value?.id,
): void {
  if (model === undefined) return;
  changeConversation(conversationId, change);
  const parentId = findConversation(conversationId)?.leafId ?? null;
  void answer(conversationId, model, { parentId });
}

/**
 * Adds a question to the end of `conversation`, and has it answered by `model` and the one that is compared with it: where
 * their answers part, each goes on from its own.
 */
export function ask(
  conversation: Conversation,
  model: string,
  content: string,
  attachments: readonly Attachment[],
): void {
  const { id, leafId, comparedModel } = conversation;
  const models = [...new Set([model, comparedModel ?? model])];
  const ends = models.map((one) => endFor(conversation, one));
  const first = newId();
  const questions = [...new Set(ends)].map((parentId, index): Message => {
    const question = { parentId, role: 'user' as const, content, attachments };
    return index === 0 ? { ...question, id: first } : { ...question, id: newId(), twinId: first };
  });
  const comparedId = isCompared(conversation, leafId) ? conversation.comparedId : first;
  const before = { ...conversation, model, comparedId: comparedModel === undefined ? undefined : comparedId };
  putConversation(questions.reduce(append, before));
  // Whatever is asked later, the chat goes on with the answer of its own model.
  let ownId: string | null | undefined;
  for (const [index, one] of models.entries()) {
    const question = questions.find(({ parentId }) => parentId === ends[index]);
    if (question !== undefined) void answer(id, one, { parentId: question.id });
    ownId ??= findConversation(id)?.leafId;
  }
  if (models.length > 1) changeConversation(id, (old) => ({ ...old, leafId: ownId ?? null }));
}

/** Has the end of the shown branch answered, which has lost its answer or never had one. */
export const answerEnd = (conversationId: string): void => changeAndAnswer(conversationId, (old) => old);

/** The model that would answer in place of `message`: of two that are compared each stays in its column. */
export const modelFor = (conversationId: string, message: Message): string | undefined =>
  isOneOfSeveral(conversationId, message) ? message.model : chatModel.value?.id;

/** Another answer in place of `message`, as a version beside it. */
export function answerAgain(conversationId: string, message: Message): void {
  const { parentId } = message;
  const change = (old: Conversation) => ({ ...old, leafId: parentId });
  changeAndAnswer(conversationId, change, modelFor(conversationId, message));
}

/** Whether it is one of the answers of several models that stand beside each other. */
export function isOneOfSeveral(conversationId: string, { id }: Message): boolean {
  const conversation = findConversation(conversationId);
  return conversation !== undefined && isCompared(conversation, id);
}

/** The ids of the messages that were deleted last, and their chat as it was; undefined: they stay deleted. */
export const lastRemoved = signal<
  { readonly ids: readonly string[]; readonly before: Conversation } | undefined
>(undefined);

/** Deletes `message`, also as other models were asked it, with everything that follows from it. */
export function remove(conversationId: string, message: Message): void {
  const before = findConversation(conversationId);
  if (before === undefined) return;
  const asked = askedTogether(before, message).map(({ id }) => id);
  lastRemoved.value = { ids: asked.flatMap((id) => [id, ...followingOf(before.messages, id)]), before };
  changeConversation(conversationId, (old) => asked.reduce(removeMessage, old));
}

/** Shows the branch that goes through a version of a message. */
export function turnTo(conversationId: string, messageId: string): void {
  changeConversation(conversationId, (old) => showBranch(old, messageId));
}
