import { useEffect, useRef, useState } from 'preact/hooks';
import { IconButton } from '../../ui/controls.tsx';
import { AskingButton } from '../../ui/dialog.tsx';
import { go } from '../../state/route.ts';
import { t } from '../../texts.ts';
import type { Conversation } from './conversation.ts';
import { saveMarkdown } from './save-conversations.ts';
import type { Match } from './search.ts';
import { changeConversation, removeConversations } from './store.ts';

interface Props {
  readonly conversation: Conversation;
  /** Where it has what was searched for, besides its title. */
  readonly match?: Match | undefined;
  readonly isCurrent: boolean;
  readonly onOpen: () => void;
}

/** A chat in the list, with what can be done with it. */
export function ConversationRow({ conversation, match, isCurrent, onOpen }: Props) {
  const { id, title, isPinned = false } = conversation;
  const [renaming, setRenaming] = useState(false);
  const shown = title || t.chat.untitled;
  if (renaming)
    return (
      <li>
        <TitleField
          title={title}
          onDone={(next) => {
            const given = { title: next.trim(), isNamed: true } as const;
            if (given.title !== '') changeConversation(id, (old) => ({ ...old, ...given }));
            setRenaming(false);
          }}
        />
      </li>
    );
  return (
    <li class={isCurrent ? 'current' : undefined}>
      <a
        href={`#/chat/${id}${match === undefined ? '' : `/${match.messageId}`}`}
        aria-current={isCurrent ? 'page' : undefined}
        title={shown}
        onClick={onOpen}
      >
        {shown}
        {match !== undefined && (
          <small>
            {match.before}
            <mark>{match.found}</mark>
            {match.after}
          </small>
        )}
      </a>
      <span class="row-tools">
        <IconButton
          icon="pin"
          label={`${isPinned ? t.chat.unpin : t.chat.pin}: ${shown}`}
          onClick={() => changeConversation(id, (old) => ({ ...old, isPinned: !isPinned }))}
        />
        <IconButton
          icon="save"
          label={`${t.chat.saveMarkdown}: ${shown}`}
          onClick={() => void saveMarkdown(conversation)}
        />
        <IconButton icon="edit" label={`${t.chat.rename}: ${shown}`} onClick={() => setRenaming(true)} />
        <AskingButton
          icon="trash"
          label={`${t.chat.remove}: ${shown}`}
          action={t.chat.remove}
          question={t.chat.removeQuestion(shown)}
          onConfirm={() => {
            void removeConversations([id]);
            if (isCurrent) go('chat');
          }}
        />
      </span>
    </li>
  );
}

function TitleField({ title, onDone }: { title: string; onDone: (next: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  return (
    <input
      aria-label={t.chat.rename}
      defaultValue={title}
      ref={input}
      onBlur={({ currentTarget }) => onDone(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onDone(event.currentTarget.value);
        if (event.key === 'Escape') onDone('');
      }}
    />
  );
}
