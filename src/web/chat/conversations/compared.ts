import { signal } from '@preact/signals';
import { branchOf, type Conversation, type Message } from './conversation.ts';

/** The model whose answers were brought in sight where there is room for one; another name: the first. */
export const shownModel = signal('');

/** The questions that were asked together with `question`, itself included: one for each of the models that answered differently before. */
export const askedTogether = ({ messages }: Conversation, question: Message): Message[] =>
  messages.filter(({ id, twinId = id }) => twinId === (question.twinId ?? question.id));

/** The newest answer of each model to a question. The chat's own model, which is asked last, comes first. */
export function answersTo(conversation: Conversation, question: Message): Message[] {
  const asked = new Set<string | null>(askedTogether(conversation, question).map(({ id }) => id));
  const answers = conversation.messages.filter(
    ({ parentId, role }) => role === 'assistant' && asked.has(parentId),
  );
  return [...new Map(answers.map((answer) => [answer.model, answer])).values()].toReversed();
}

/** The last part of `answer`, which goes on after the calls that it wants. */
export function endOf({ messages }: Conversation, answer: Message): Message {
  let end = answer;
  for (;;) {
    const next = messages.findLast(({ parentId, role }) => parentId === end.id && role !== 'user');
    if (next === undefined) return end;
    end = next;
  }
}

/** Whether the message of that id is the first question whose answers stand beside each other, or comes after it. */
export const isCompared = (conversation: Conversation, id: string | null): boolean =>
  conversation.comparedId !== undefined &&
  branchOf({ ...conversation, leafId: id }).some((message) => message.id === conversation.comparedId);

/** The end of the last answer of `model`, where it stands beside others; undefined: there is none. */
export function comparedEnd(conversation: Conversation, model: string): Message | undefined {
  if (!isCompared(conversation, conversation.leafId)) return undefined;
  const question = branchOf(conversation).findLast(({ role }) => role === 'user');
  const own = question && answersTo(conversation, question).find((answer) => answer.model === model);
  return own && endOf(conversation, own);
}

/** The message that the next question to `model` follows: of answers that stand beside each other its own. */
export const endFor = (conversation: Conversation, model: string): string | null =>
  comparedEnd(conversation, model)?.id ?? conversation.leafId;
