import { useRef, useState } from 'preact/hooks';
import { IconButton } from '../../ui/controls.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { go } from '../../state/route.ts';
import { t } from '../../texts.ts';
import type { Conversation } from './conversation.ts';
import {
  changeConversation,
  conversations,
  exportConversations,
  importConversations,
  removeConversation,
} from './store.ts';

interface Props {
  readonly currentId: string;
  /** On a narrow screen the list lies over the conversation. */
  readonly open: boolean;
  readonly onClose: () => void;
}

export function ConversationList({ currentId, open, onClose }: Props) {
  const [query, setQuery] = useState('');
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
        {found.map((conversation) => (
          <ConversationRow
            key={conversation.id}
            conversation={conversation}
            isCurrent={conversation.id === currentId}
            onOpen={onClose}
          />
        ))}
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

function FileTools() {
  const input = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState('');
  const read = async (file: File) => {
    const count = importConversations(await file.text());
    setOutcome(count === undefined ? t.chat.importFailed : t.chat.imported(count));
  };
  return (
    <div class="file-tools">
      <button
        type="button"
        class="quiet"
        onClick={() => saveFile('hearth-chats.json', exportConversations())}
      >
        {t.chat.exportAll}
      </button>
      <button type="button" class="quiet" onClick={() => input.current?.click()}>
        {t.chat.importAll}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept="application/json,.json"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) void read(file);
          currentTarget.value = '';
        }}
      />
      <output>{outcome}</output>
    </div>
  );
}
