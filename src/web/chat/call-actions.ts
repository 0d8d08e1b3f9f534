import { changeAndAnswer, modelFor } from './actions.ts';
import { append, newId, type Conversation, type Message } from './conversations/conversation.ts';
import { toolOf, wantedCalls } from './conversations/parts.ts';

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
export function sendResults(conversationId: string, message: Message, results: readonly string[]): void {
  const change = (old: Conversation) =>
    withToolMessages({ ...old, leafId: message.id }, message.toolCalls ?? [], (index) => ({
      content: results[index] ?? '',
    }));
  changeAndAnswer(conversationId, change, modelFor(conversationId, message));
}

/** The person's answer to a call of a server's tool; `always`: to those of the same tool in the chat to come, too. */
export type Decision = 'allow' | 'always' | 'refuse';

/** Tells the person's answer to each of the calls of servers' tools that `message` asks for. */
export function answerCalls(
  conversationId: string,
  message: Message,
  said: readonly (Decision | undefined)[],
): void {
  const calls = wantedCalls(message);
  const always = calls.filter((_, index) => said[index] === 'always').map(toolOf);
  const change = (old: Conversation) => {
    const allowed = [...new Set([...(old.settings.allowed ?? []), ...always])];
    const settings = always.length > 0 ? { ...old.settings, allowed } : old.settings;
    return withToolMessages({ ...old, settings, leafId: message.id }, calls, (index) => ({
      content: '',
      approves: said[index] !== 'refuse',
    }));
  };
  changeAndAnswer(conversationId, change, modelFor(conversationId, message));
}
