import { t } from '../../../words/dialog-texts.ts';
import { lastRemoved } from '../../actions.ts';
import { bringBack } from '../../conversations/copies.ts';
import { answersTo, endOf } from '../../conversations/compared.ts';
import type { Conversation, Message } from '../../conversations/conversation.ts';
import { LeftNote } from '../../conversations/list/list-parts.tsx';
import { changeConversation } from '../../conversations/store.ts';
import { toRows } from '../rows.ts';

/** That the messages of those ids were deleted from the chat, which was as `before`, and the way back, for some seconds. */
export function RemovedNote({ ids, before }: { ids: readonly string[]; before: Conversation }) {
  const count = seenIn(before).filter(({ id }) => ids.includes(id)).length;
  return (
    <div class="removed-note">
      <LeftNote
        text={t.chat.removedMessages(Math.max(1, count))}
        undo={() => changeConversation(before.id, (now) => bringBack(now, before, ids))}
        onEnd={() => (lastRemoved.value = undefined)}
      />
    </div>
  );
}

/**
 * The messages that stand in a chat as one each: without other versions, and an answer that went on after its calls once.
 * A question that several models were asked is one, and has an answer of each.
 */
function seenIn(conversation: Conversation): Message[] {
  const rows = toRows(conversation);
  const comparedAt = rows.findIndex(({ message }) => message.id === conversation.comparedId);
  return rows.flatMap(({ message, isContinued }, index) => {
    if (comparedAt < 0 || index < comparedAt) return isContinued ? [] : [message];
    if (message.role !== 'user') return [];
    return [message, ...answersTo(conversation, message).map((answer) => endOf(conversation, answer))];
  });
}
