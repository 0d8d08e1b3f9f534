import { signal } from '@preact/signals';
import { chatModel } from '../state/models.ts';
import { answer, liveIn } from './answers/answer.ts';
import {
  append,
  forkAt,
  newId,
  numbered,
  removeMessage,
  replaceMessage,
  showBranch,
  type Attachment,
  type Conversation,
  type Message,
} from './conversations/conversation.ts';
import { toolOf, wantedCalls } from './conversations/parts.ts';
import {
  changeConversation,
  conversations,
  findConversation,
  putConversation,
} from './conversations/store.ts';

/** Changes the stored conversation, whatever was shown of it, and has the chosen model answer its end. */
function changeAndAnswer(
  conversationId: string,
  change: (old: Conversation) => Conversation,
  model = chatModel.value?.id,
): void {
  if (model === undefined) return;
  changeConversation(conversationId, change);
  const parentId = findConversation(conversationId)?.leafId ?? null;
  void answer(conversationId, model, { parentId });
}

/** Adds a question to the end of `conversation`, and has it answered by `model` and the one that is compared with it. */
export function ask(
  conversation: Conversation,
  model: string,
  content: string,
  attachments: readonly Attachment[],
): void {
  const { id, leafId: parentId, comparedModel } = conversation;
  const message = { id: newId(), parentId, role: 'user' as const, content, attachments };
  const comparedId = comparedModel === undefined ? undefined : message.id;
  putConversation(append({ ...conversation, model, comparedId }, message));
  for (const one of new Set([comparedModel ?? model, model])) void answer(id, one, { parentId: message.id });
}

/** Has the end of the shown branch answered, which has lost its answer or never had one. */
export const answerEnd = (conversationId: string): void => changeAndAnswer(conversationId, (old) => old);

/** The model that would answer in place of `message`: of two that are compared each stays in its column. */
export const modelFor = (conversationId: string, message: Message): string | undefined =>
  isCompared(conversationId, message) ? message.model : chatModel.value?.id;

/** Another answer in place of `message`, as a version beside it. */
export function answerAgain(conversationId: string, message: Message): void {
  const { parentId } = message;
  const change = (old: Conversation) => ({ ...old, leafId: parentId });
  changeAndAnswer(conversationId, change, modelFor(conversationId, message));
}

/** As answerAgain, by another model, which answers the chat from then on. */
export function answerWith(conversationId: string, { parentId }: Message, model: string): void {
  changeAndAnswer(conversationId, (old) => ({ ...old, leafId: parentId, model }), model);
}

/** Whether it is one of the answers of several models that stand beside each other. */
export const isCompared = (conversationId: string, { parentId }: Message): boolean =>
  findConversation(conversationId)?.comparedId === parentId;

/** The rest of `message`, an answer that ends the shown branch, by the model that began it. */
export function continueAnswer(conversationId: string, message: Message): void {
  const model = message.model ?? chatModel.value?.id;
  if (model !== undefined) void answer(conversationId, model, { parentId: message.parentId, begun: message });
}

/** The question `message` with another text, as a version beside it. */
export function resend(conversationId: string, message: Message, text: string): void {
  const version = { ...message, id: newId(), content: text };
  changeAndAnswer(conversationId, (old) => append({ ...old, leafId: message.parentId }, version));
}

/** The answer `message` with another text, from which the conversation then goes on. */
export function correct(conversationId: string, message: Message, text: string): void {
  // The figures are those of the text that the model wrote.
  const { items: _, stats: __, ...rest } = message;
  changeConversation(conversationId, (old) => replaceMessage(old, { ...rest, content: text }));
}

/** The message that was deleted last, and its chat as it was; undefined: it stays deleted. */
export const lastRemoved = signal<{ readonly id: string; readonly before: Conversation } | undefined>(
  undefined,
);

/** Deletes `message` with everything that follows from it. */
export function remove(conversationId: string, { id }: Message): void {
  const before = findConversation(conversationId);
  lastRemoved.value = before && { id, before };
  changeConversation(conversationId, (old) => removeMessage(old, id));
}

/** The id of a new chat that begins as this one does up to `message`. */
export function fork(conversationId: string, { id }: Message): string | undefined {
  const old = findConversation(conversationId);
  if (old === undefined) return undefined;
  const forked = forkAt(old, id, numbered(old.title, conversations.value));
  putConversation(forked);
  return forked.id;
}

/** Shows the branch that goes through a version of a message. */
export function turnTo(conversationId: string, messageId: string): void {
  changeConversation(conversationId, (old) => showBranch(old, messageId));
}

/** Has the next question follow one of the answers that are shown beside each other, which all stay there. */
export const follow = (conversationId: string, { id }: Message): void =>
  changeConversation(conversationId, (old) => ({ ...old, leafId: id }));

/**
 * Goes on with one of the answers that were shown beside each other, and with its model alone: it may be half written, and
 * the others end where they are.
 */
export function keepAnswer(conversationId: string, { id, model }: Message): void {
  for (const live of liveIn(conversationId)) if (live.message.id !== id) live.stop();
  const kept = { comparedId: undefined, comparedModel: undefined, model };
  changeConversation(conversationId, (old) => showBranch({ ...old, ...kept }, id));
}

/** `conversation` with a message of a tool for each of `calls`, in their order, which has the fields of `said`. */
function withToolMessages(
  conversation: Conversation,
  calls: readonly { readonly id: string; readonly name: string }[],
  said: (index: number) => Pick<Message, 'content' | 'approves'>,
): Conversation {
  return calls.reduce((grown, { id, name }, index) => {
    const message = {
      id: newId(),
      parentId: grown.leafId,
      role: 'tool',
      toolCallId: id,
      toolName: name,
    } as const;
    return append(grown, { ...message, ...said(index) });
  }, conversation);
}

/** Gives the model the result of each call of `message`, in their order. */
export function sendResults(
  conversationId: string,
  { toolCalls = [] }: Message,
  results: readonly string[],
): void {
  changeAndAnswer(conversationId, (old) =>
    withToolMessages(old, toolCalls, (index) => ({ content: results[index] ?? '' })),
  );
}

/** What is said to a call of a server's tool; `always`: to those of the same tool in the chat to come, too. */
export type Decision = 'allow' | 'always' | 'refuse';

/** Tells what was said to each of the calls of servers' tools that `message` asks for. */
export function answerCalls(
  conversationId: string,
  message: Message,
  said: readonly (Decision | undefined)[],
): void {
  const calls = wantedCalls(message);
  const always = calls.filter((_, index) => said[index] === 'always').map(toolOf);
  changeAndAnswer(conversationId, (old) => {
    const allowed = [...new Set([...(old.settings.allowed ?? []), ...always])];
    const settings = always.length > 0 ? { ...old.settings, allowed } : old.settings;
    return withToolMessages({ ...old, settings }, calls, (index) => ({
      content: '',
      approves: said[index] !== 'refuse',
    }));
  });
}
