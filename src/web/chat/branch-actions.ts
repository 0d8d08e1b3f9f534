import { chatModel } from '../state/models.ts';
import { ask, changeAndAnswer } from './actions.ts';
import { answer, liveIn } from './answers/answer.ts';
import { endOf, lastCompared, shownModel, shownOf } from './conversations/compared.ts';
import { replaceMessage, showBranch, type Conversation, type Message } from './conversations/conversation.ts';
import { forkAt, numbered } from './conversations/copies.ts';
import {
  changeConversation,
  conversations,
  findConversation,
  putConversation,
} from './conversations/store.ts';

/** The question `message` with another text, as a version beside it. */
export function resend(conversationId: string, message: Message, text: string): void {
  const conversation = findConversation(conversationId);
  const model = chatModel.value?.id;
  if (conversation === undefined || model === undefined) return;
  ask({ ...conversation, leafId: message.parentId }, model, text, message.attachments ?? []);
}

/** The answer `message` with another text, from which the conversation then goes on. */
export function correct(conversationId: string, message: Message, text: string): void {
  // The figures are those of the text that the model wrote.
  const { items: _, stats: __, ...rest } = message;
  changeConversation(conversationId, (old) => replaceMessage(old, { ...rest, content: text }));
}

/** As answerAgain, by another model, which answers the chat from then on. */
export function answerWith(conversationId: string, { parentId }: Message, model: string): void {
  changeAndAnswer(conversationId, (old) => ({ ...old, leafId: parentId, model }), model);
}

/** The rest of `message`, an answer that ends the shown branch, by the model that began it. */
export function continueAnswer(conversationId: string, message: Message): void {
  const model = message.model ?? chatModel.value?.id;
  if (model !== undefined) void answer(conversationId, model, { parentId: message.parentId, begun: message });
}

/** The id of a new chat that begins as this one does up to `message`. */
export function fork(conversationId: string, { id }: Message): string | undefined {
  const old = findConversation(conversationId);
  if (old === undefined) return undefined;
  const forked = forkAt(old, id, numbered(old.title, conversations.value));
  putConversation(forked);
  return forked.id;
}

/** Ends comparing: the answer that was brought in sight alone is kept, and the first one otherwise; none that failed. */
export function endComparing(conversation: Conversation): void {
  const answers = lastCompared(conversation);
  const written = answers.filter((one) => endOf(conversation, one).error === undefined);
  const shown = shownOf(written) ?? shownOf(answers);
  if (shown !== undefined) keepAnswer(conversation.id, endOf(conversation, shown));
  else changeConversation(conversation.id, (old) => ({ ...old, comparedModel: undefined }));
}

/**
 * Goes on with one of the answers that were shown beside each other, and with its model alone: it may be half written, and
 * the others end where they are.
 */
export function keepAnswer(conversationId: string, { id, model }: Message): void {
  for (const live of liveIn(conversationId)) if (live.message.id !== id) live.stop();
  shownModel.value = '';
  const kept = { comparedId: undefined, comparedModel: undefined, model };
  changeConversation(conversationId, (old) => showBranch({ ...old, ...kept }, id));
}
