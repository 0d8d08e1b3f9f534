import { useState } from 'preact/hooks';
import { IconButton } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { go } from '../../state/route.ts';
import { t } from '../../texts.ts';
import type { Conversation } from './conversation.ts';
import { ConversationRow } from './conversation-row.tsx';
import { FileTools } from './file-tools.tsx';
import { search } from './search.ts';
import { areLoaded, conversations } from './store.ts';

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
  const found = conversations.value.flatMap((conversation) => {
    const match = search(conversation, query.trim().toLowerCase());
    return match === undefined ? [] : { conversation, match };
  });
  const groups = Map.groupBy(
    found.toSorted((one, other) => Number(comesFirst(other)) - Number(comesFirst(one))).slice(0, most),
    ({ conversation }) => groupOf(conversation),
  );
  return (
    <nav class={open ? 'conversations open' : 'conversations'} aria-label={t.chat.conversations}>
      <ListTools onClose={onClose} />
      <input
        type="search"
        id="chat-search"
        aria-label={t.chat.search}
        placeholder={t.chat.search}
        value={query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      <div class="list">
        {[...groups].map(([name, members]) => (
          <section key={name}>
            <h2>{name}</h2>
            <ul>
              {members.map(({ conversation, match }) => (
                <ConversationRow
                  key={conversation.id}
                  conversation={conversation}
                  match={match === true ? undefined : match}
                  isCurrent={conversation.id === currentId}
                  onOpen={onClose}
                />
              ))}
            </ul>
          </section>
        ))}
        {areLoaded.value && found.length === 0 && (
          <p class="quiet">{query.trim() === '' ? t.chat.noChats : t.chat.nothingFound}</p>
        )}
        {found.length > most && (
          <button type="button" class="quiet" onClick={() => setMost(Infinity)}>
            {t.chat.showAll(found.length)}
          </button>
        )}
      </div>
      <FileTools />
    </nav>
  );
}

function ListTools({ onClose }: { onClose: () => void }) {
  return (
    <div class="list-tools">
      <button
        type="button"
        class="primary"
        onClick={() => {
          go('chat');
          onClose();
          document.getElementById('composer')?.focus();
        }}
      >
        <Icon name="plus" /> {t.chat.newChat}
      </button>
      <span class="narrow-only">
        <IconButton icon="close" label={t.shell.close} onClick={onClose} />
      </span>
    </div>
  );
}

const comesFirst = ({ conversation }: { conversation: Conversation }) => conversation.isPinned ?? false;

const dayMs = 86_400_000;

/** The heading below which a conversation stands: when it was last written in, by the days of this machine. */
function groupOf({ isPinned = false, updatedAtMs }: Conversation): string {
  if (isPinned) return t.chat.pinned;
  const today = new Date().setHours(0, 0, 0, 0);
  if (updatedAtMs >= today) return t.chat.today;
  if (updatedAtMs >= today - dayMs) return t.chat.yesterday;
  if (updatedAtMs >= today - 7 * dayMs) return t.chat.lastWeek;
  return new Date(updatedAtMs).toLocaleDateString('en', { month: 'long', year: 'numeric' });
}
