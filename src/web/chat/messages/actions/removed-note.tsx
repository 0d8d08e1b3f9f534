import { t } from '../../../words/dialog-texts.ts';
import { lastRemoved } from '../../actions.ts';
import { bringBack } from '../../conversations/copies.ts';
import type { Conversation } from '../../conversations/conversation.ts';
import { LeftNote } from '../../conversations/list/list-parts.tsx';
import { changeConversation } from '../../conversations/store.ts';

/** That the messages of those ids were deleted from the chat, which was as `before`, and the way back, for some seconds. */
export function RemovedNote({ ids, before }: { ids: readonly string[]; before: Conversation }) {
  // A question that several models were asked is one.
  const count = before.messages.filter(({ id, twinId }) => ids.includes(id) && twinId === undefined).length;
  return (
    <div class="removed-note">
      <LeftNote
        text={t.chat.removedMessages(count)}
        undo={() => changeConversation(before.id, (now) => bringBack(now, before, ids))}
        onEnd={() => (lastRemoved.value = undefined)}
      />
    </div>
  );
}
