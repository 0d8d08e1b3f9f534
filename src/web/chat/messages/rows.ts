import { branchOf, versionsOf, type Conversation, type Message } from '../conversations/conversation.ts';

/** A message with the facts about it in the shown branch. */
export interface Row {
  readonly message: Message;
  /** The ids of its versions, its own included, oldest first. */
  readonly versions: readonly string[];
  /** The person's answers to the calls that it wants. */
  readonly answers: readonly Message[];
  /** The message before it whose calls it goes on with, and the answers to these. */
  readonly asked?: Message | undefined;
  readonly said?: readonly Message[];
  /** Whether the next message goes on with it, after its calls. */
  readonly isContinued: boolean;
}

export interface MessageProps extends Row {
  readonly conversationId: string;
  readonly isLast: boolean;
  /** Whether several models answered in the chat. */
  readonly isMixed: boolean;
  /** Whether it was searched for. */
  readonly isSought: boolean;
  /** Whether it is being written. */
  readonly growing: boolean;
}

/** The shown branch, the answers to calls with the messages that wanted them. */
export function toRows(conversation: Conversation): Row[] {
  const branch = branchOf(conversation);
  let before: Row | undefined;
  return branch.flatMap((message, index): Row[] => {
    if (message.role === 'tool') return [];
    const following = branch.slice(index + 1);
    const count = following.findIndex(({ role }) => role !== 'tool');
    const answers = count < 0 ? following : following.slice(0, count);
    const versions = versionsOf(conversation, message).map(({ id }) => id);
    const isContinued = answers.length > 0 && following[count]?.role === 'assistant';
    const asking = before?.isContinued ? { asked: before.message, said: before.answers } : {};
    const row = { message, versions, answers, isContinued, ...asking };
    before = row;
    return [row];
  });
}
