import type { Conversation, Message } from '../conversations/conversation.ts';

/** The newest answer of each model to a question. The chat's own model, which is asked last, comes first. */
export function answersTo({ messages }: Conversation, questionId: string): Message[] {
  const answers = messages.filter(({ parentId, role }) => parentId === questionId && role === 'assistant');
  return [...new Map(answers.map((answer) => [answer.model, answer])).values()].toReversed();
}
