import { Segments } from '../../ui/forms/fields.tsx';
import { t } from '../../words/dialog-texts.ts';
import { follow } from '../actions.ts';
import type { Conversation } from '../conversations/conversation.ts';
import { answersTo } from '../messages/compared-answers.ts';
import './followed-note.css';

/** While answers stand beside each other: which of them the next question follows, and the choice of another one. */
export function FollowedNote({ conversation }: { conversation: Conversation }) {
  const { id, messages, leafId, comparedId } = conversation;
  const followed = messages.find((message) => message.id === leafId);
  if (comparedId === undefined || followed?.parentId !== comparedId) return null;
  const answers = answersTo(conversation, comparedId);
  if (answers.length < 2) return null;
  const choose = (model: string) => {
    const answer = answers.find((one) => one.model === model);
    if (answer !== undefined) follow(id, answer);
  };
  return (
    <div class="note followed-note">
      <span>{t.chat.nextFollows}</span>
      <Segments
        label={t.chat.nextFollows}
        value={followed.model ?? ''}
        onChange={choose}
        options={answers.map(({ model = '' }) => [model, model])}
      />
      <span>{t.chat.otherStays}</span>
    </div>
  );
}
