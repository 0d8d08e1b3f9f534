import { useState } from 'preact/hooks';
import { IconButton } from '../../ui/controls.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { go } from '../../state/route.ts';
import { t } from '../../texts.ts';
import type { Conversation } from './conversation.ts';
import { FileTools } from './file-tools.tsx';
import { changeConversation, conversations, removeConversation } from './store.ts';

interface Props {
  readonly currentId: string;
  /** On a narrow screen the list lies over the conversation. */
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Hundreds of rows would be drawn again with every change. */
const shownAtFirst = 100;

export function ConversationList({ currentId, open, onClose }: Props) {
  const [query, setQuery] = useState('');
  const [most, setMost] = useState(shownAtFirst);
  const found = conversations.value.filter((conversation) =>
    matches(conversation, query.trim().toLowerCase()),
  );
  return (
    <nav class={open ? 'conversations open' : 'conversations'} aria-label={t.chat.conversations}>
      <div class="list-tools">
        <button
          type="button"
          class="primary"
          onClick={() => {
            go('chat');
            onClose();
          }}
        >
          <Icon name="plus" /> {t.chat.newChat}
        </button>
        <span class="narrow-only">
          <IconButton icon="close" label={t.shell.close} onClick={onClose} />
        </span>
      </div>
      <input
        type="search"
        id="chat-search"
        aria-label={t.chat.search}
        placeholder={t.chat.search}
        value={query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      <ul>
        {found.slice(0, most).map((conversation) => (
          <ConversationRow
            key={conversation.id}
            conversation={conversation}
            isCurrent={conversation.id === currentId}
            onOpen={onClose}
          />
        ))}
        {found.length > most && (
          <li>
            <button type="button" class="quiet" onClick={() => setMost(Infinity)}>
              {t.chat.showAll(found.length)}
            </button>
          </li>
        )}
      </ul>
      <FileTools />
    </nav>
  );
}

function matches({ title, messages }: Conversation, query: string): boolean {
  if (query === '' || title.toLowerCase().includes(query)) return true;
  return messages.some(({ content }) => content.toLowerCase().includes(query));
}

interface RowProps {
  readonly conversation: Conversation;
  readonly isCurrent: boolean;
  readonly onOpen: () => void;
}

function ConversationRow({ conversation: { id, title }, isCurrent, onOpen }: RowProps) {
  const [state, setState] = useState<'renaming' | 'removing'>();
  const shown = title || t.chat.untitled;
  if (state === 'renaming') {
    const rename = (next: string) => {
      if (next.trim() !== '') changeConversation(id, (old) => ({ ...old, title: next.trim() }));
      setState(undefined);
    };
    return (
      <li>
        <input
          aria-label={t.chat.rename}
          defaultValue={title}
          ref={(input) => input?.focus()}
          onBlur={({ currentTarget }) => rename(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') rename(event.currentTarget.value);
            if (event.key === 'Escape') setState(undefined);
          }}
        />
      </li>
    );
  }
  return (
    <li class={isCurrent ? 'current' : undefined}>
      <a href={`#/chat/${id}`} aria-current={isCurrent ? 'page' : undefined} onClick={onOpen}>
        {shown}
      </a>
      <IconButton icon="edit" label={`${t.chat.rename}: ${shown}`} onClick={() => setState('renaming')} />
      <IconButton icon="close" label={`${t.chat.remove}: ${shown}`} onClick={() => setState('removing')} />
      {state === 'removing' && (
        <Confirm
          question={t.chat.removeQuestion(shown)}
          action={t.chat.remove}
          onClose={() => setState(undefined)}
          onConfirm={() => {
            removeConversation(id);
            if (isCurrent) go('chat');
          }}
        />
      )}
    </li>
  );
}
