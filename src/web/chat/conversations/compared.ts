import { signal } from '@preact/signals';
import { branchOf, type Conversation, type Message } from './conversation.ts';

/** The model whose answers were brought in sight where there is room for one; another name: the first. */
export const shownModel = signal('');

/** The questions that were asked together with `question`, itself included: one for each of the models that answered differently before. */
export const askedTogether = ({ messages }: Conversation, question: Message): Message[] =>
  messages.filter(({ id, twinId = id }) => twinId === (question.twinId ?? question.id));

/** The newest answer of each model to a question, that of the chat's own model first. */
export function answersTo(conversation: Conversation, question: Message): Message[] {
  const asked = new Set<string | null>(askedTogether(conversation, question).map(({ id }) => id));
  const answers = conversation.messages.filter(
    ({ parentId, role }) => role === 'assistant' && asked.has(parentId),
  );
  const isOwn = ({ model }: Message) => model === conversation.model;
  return [...new Map(answers.map((answer) => [answer.model, answer])).values()].toSorted(
    (one, other) => Number(isOwn(other)) - Number(isOwn(one)),
  );
}

/** The one of `answers` that a narrow screen shows: that of the model which was brought in sight, or the first. */
export const shownOf = (answers: readonly Message[]): Message | undefined =>
  answers.find(({ model }) => model === shownModel.value) ?? answers[0];

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

/** The answers at the end of the chat, where they stand beside each other. */
export function lastCompared(conversation: Conversation): Message[] {
  if (!isCompared(conversation, conversation.leafId)) return [];
  const question = branchOf(conversation).findLast(({ role }) => role === 'user');
  return question === undefined ? [] : answersTo(conversation, question);
}

/** The message that the next question to `model` follows: of answers that stand beside each other its own. */
export function endFor(conversation: Conversation, model: string): string | null {
  const own = lastCompared(conversation).find((answer) => answer.model === model);
  return own === undefined ? conversation.leafId : endOf(conversation, own).id;
}
