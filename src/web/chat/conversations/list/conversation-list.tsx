import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '../../../ui/controls.tsx';
import { FileInput, SearchBox } from '../../../ui/forms/fields.tsx';
import { go } from '../../../state/route.ts';
import { t } from '../../../words/texts.ts';
import type { Conversation } from '../conversation.ts';
import { ConversationRow } from './conversation-row.tsx';
import { search } from './search.ts';
import { areLoaded, conversations } from '../store.ts';
import { Icon } from '../../../ui/icon.tsx';
import { lazyPart } from '../../../ui/rendering/lazy-part.tsx';
import { Menu } from '../../../ui/overlays/popover.tsx';
import type { Left } from './list-parts.tsx';
import { saveConversations } from '../save-conversations.ts';
import { goWrite } from '../../composer/keyboard.ts';

interface Props {
  readonly currentId: string;
  /** On a narrow screen the list lies over the conversation. */
  readonly open: boolean;
  readonly onClose: () => void;
}

const loadParts = () => import('./list-parts.tsx');
const LeftNote = lazyPart(async () => (await loadParts()).LeftNote);

/** Hundreds of rows would be drawn again with every change. */
const shownAtFirst = 100;

export function ConversationList({ currentId, open, onClose }: Props) {
  const [query, setQuery] = useState('');
  const [most, setMost] = useState(shownAtFirst);
  const [showsArchived, setShowsArchived] = useState(false);
  const [left, setLeft] = useState<Left>();
  const words = query.trim().toLowerCase();
  const all = conversations.value.flatMap((conversation) => rowOf(conversation, words));
  const archived = all.filter(({ conversation }) => conversation.isArchived);
  // A search finds chats there, too.
  const folds = archived.length > 0 && words === '';
  const found = folds && !showsArchived ? all.filter((one) => !archived.includes(one)) : all;
  const shown = found.toSorted((one, other) => placeOf(one) - placeOf(other)).slice(0, most);
  const titles = Map.groupBy(conversations.value, ({ title }) => title);
  const groups = Map.groupBy(shown, ({ conversation }) => groupOf(conversation));
  useEscape(open, onClose);
  return (
    <nav class={open ? 'conversations open' : 'conversations'} aria-label={t.chat.conversations}>
      {/* Its note about an import goes when a newer one is told. */}
      <ListTools key={left?.text} onClose={onClose} onLeft={setLeft} />
      {left !== undefined && <LeftNote {...left} onEnd={() => setLeft(undefined)} />}
      <SearchBox id="chat-search" label={t.chat.search} value={query} onChange={setQuery} />
      <div class="list">
        {[...groups].map(([name, members]) => (
          <section key={name}>
            <h2>{name}</h2>
            <ul>
              {members.map((member) => (
                <ConversationRow
                  key={member.conversation.id}
                  {...member}
                  isCurrent={member.conversation.id === currentId}
                  hasTwin={(titles.get(member.conversation.title)?.length ?? 0) > 1}
                  onOpen={onClose}
                  onLeft={setLeft}
                />
              ))}
            </ul>
          </section>
        ))}
        {areLoaded.value && all.length === 0 && (
          <p class="quiet">{words === '' ? t.chat.noChats : t.chat.nothingFound}</p>
        )}
        {folds && (
          <Button
            class="quiet"
            aria-expanded={showsArchived}
            text={showsArchived ? t.chat.hideArchived : t.chat.showArchived(archived.length)}
            onClick={() => setShowsArchived(!showsArchived)}
          />
        )}
        {found.length > most && (
          <Button class="quiet" text={t.chat.showAll(found.length)} onClick={() => setMost(Infinity)} />
        )}
      </div>
    </nav>
  );
}

/** The row of a chat that has `query`; [] for any other chat. */
function rowOf(conversation: Conversation, query: string) {
  const match = search(conversation, query);
  return match === undefined ? [] : [{ conversation, query, match: match === true ? undefined : match }];
}

/** Has Escape close a list that is `open`, unless a dialog is open above it. */
function useEscape(open: boolean, onClose: () => void): void {
  useEffect(() => {
    if (!open) return;
    const leave = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && document.querySelector('dialog[open]') === null) onClose();
    };
    addEventListener('keydown', leave);
    return () => removeEventListener('keydown', leave);
  }, [open]);
}

function ListTools({ onClose, onLeft }: { onClose: () => void; onLeft: (left: Left) => void }) {
  return (
    <div class="list-tools">
      <Button
        class="primary"
        icon="plus"
        text={t.chat.newChat}
        onClick={() => {
          go('chat');
          onClose();
          goWrite();
        }}
      />
      <ListMenu onLeft={onLeft} />
      <span class="narrow-only">
        <IconButton icon="close" label={t.shell.close} onClick={onClose} />
      </span>
    </div>
  );
}

/** Pinned ones come first, and archived ones last. */
const placeOf = ({
  conversation: { isPinned = false, isArchived = false },
}: {
  conversation: Conversation;
}) => Number(isArchived) - Number(isPinned);

const dayMs = 86_400_000;

/** The heading below which a conversation stands: when it was last written in, by the days of this machine. */
function groupOf({ isPinned = false, isArchived = false, updatedAtMs }: Conversation): string {
  if (isArchived) return t.chat.archived;
  if (isPinned) return t.chat.pinned;
  const today = new Date().setHours(0, 0, 0, 0);
  if (updatedAtMs >= today) return t.chat.today;
  if (updatedAtMs >= today - dayMs) return t.chat.yesterday;
  if (updatedAtMs >= today - 7 * dayMs) return t.chat.lastWeek;
  return new Date(updatedAtMs).toLocaleDateString('en', { month: 'long', year: 'numeric' });
}

/** The acts on all conversations: they become a file, and come back. */
function ListMenu({ onLeft }: { onLeft: (left: Left) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState('');
  const { length: count } = conversations.value;
  return (
    <>
      <Menu
        label={t.chat.allChats}
        class="small-menu"
        button={<Icon name="more" />}
        items={[
          { icon: 'send', text: t.chat.importAll, act: () => input.current?.click() },
          count > 0 && { icon: 'save', text: t.chat.exportAll, act: () => void saveConversations() },
          count > 0 && {
            icon: 'trash',
            text: t.chat.removeAll(count),
            act: () => void loadParts().then((parts) => parts.removeAll(onLeft)),
          },
        ]}
      />
      <FileInput
        ref={input}
        hidden
        accept="application/json,.json"
        onFiles={([file]) => file && void loadParts().then((parts) => parts.importFile(file, setOutcome))}
      />
      <output>{outcome}</output>
    </>
  );
}
