import { t } from '../../words/dialog-texts.ts';
import { lastRemoved } from '../actions.ts';
import { bringBack } from '../conversations/bring-back.ts';
import { followingOf, type Conversation } from '../conversations/conversation.ts';
import { LeftNote } from '../conversations/list/list-parts.tsx';
import { changeConversation } from '../conversations/store.ts';

/** That the message of that id was deleted from the chat, which was as `before`, and the way back, for some seconds. */
export function RemovedNote({ id, before }: { id: string; before: Conversation }) {
  const ids = [id, ...followingOf(before.messages, id)];
  return (
    <div class="removed-note">
      <LeftNote
        text={t.chat.removedMessages(ids.length)}
        undo={() => changeConversation(before.id, (now) => bringBack(now, before, ids))}
        onEnd={() => (lastRemoved.value = undefined)}
      />
    </div>
  );
}
