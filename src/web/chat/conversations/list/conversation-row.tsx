import { useRef, useState } from 'preact/hooks';
import { Icon } from '../../../ui/icon.tsx';
import { lazyPart } from '../../../ui/rendering/lazy-part.tsx';
import { Menu } from '../../../ui/overlays/popover.tsx';
import { go } from '../../../state/route.ts';
import { joined } from '../../../words/formats.ts';
import { t } from '../../../words/texts.ts';
import type { Conversation } from '../conversation.ts';
import { saveMarkdown } from '../save-conversations.ts';
import type { Left } from './list-parts.tsx';
import { hitIn, type Hit, type Match } from './search.ts';
import { changeConversation, removeConversations } from '../store.ts';

const TitleField = lazyPart(async () => (await import('./list-parts.tsx')).TitleField);

interface Props {
  readonly conversation: Conversation;
  /** The text that is searched for, in small letters. */
  readonly query: string;
  /** Where it has that, besides its title. */
  readonly match?: Match | undefined;
  readonly isCurrent: boolean;
  /** Whether another one has its title. */
  readonly hasTwin: boolean;
  readonly onOpen: () => void;
  readonly onLeft: (left: Left) => void;
}

/** A chat in the list, with its acts. */
export function ConversationRow(props: Props) {
  const { conversation, isCurrent } = props;
  const { id, title } = conversation;
  const [isRenaming, setRenaming] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  if (isRenaming)
    return (
      <li ref={row}>
        <TitleField
          title={title}
          onDone={(next, byKey) => {
            const name = next.trim();
            if (name !== '') changeConversation(id, (old) => ({ ...old, title: name, isNamed: true }));
            setRenaming(false);
            if (byKey) setTimeout(() => row.current?.querySelector('button')?.focus());
          }}
        />
      </li>
    );
  return (
    <li ref={row} class={isCurrent ? 'current' : undefined}>
      <RowLink {...props} />
      <RowMenu {...props} onRename={() => setRenaming(true)} />
    </li>
  );
}

function RowMenu({ conversation, isCurrent, onLeft, onRename }: Props & { readonly onRename: () => void }) {
  const { id, title, isPinned = false, isArchived = false } = conversation;
  const shown = title || t.chat.untitled;
  const change = (next: Partial<Conversation>) => changeConversation(id, (old) => ({ ...old, ...next }));
  /** Opens another chat where this one is open: what leaves the list is not left open without a word. */
  const open = (...ids: string[]) => isCurrent && go('chat', ...ids);
  const remove = async () => {
    const undo = await removeConversations([id]);
    onLeft({ text: t.chat.removed(shown), undo: async () => open(...(await undo())) });
    open();
  };
  const archive = () => {
    change({ isArchived: !isArchived, isPinned: false });
    if (isArchived) return;
    const undo = () => {
      change({ isArchived, isPinned });
      open(id);
    };
    onLeft({ text: t.chat.archived, undo });
    open();
  };
  return (
    <Menu
      label={`${t.shell.more}: ${shown}`}
      class="small-menu"
      button={<Icon name="more" />}
      items={[
        {
          icon: 'pin',
          text: isPinned ? t.chat.unpin : t.chat.pin,
          act: () => change({ isPinned: !isPinned, isArchived: false }),
        },
        { icon: 'edit', text: t.chat.rename, act: onRename },
        { icon: 'archive', text: isArchived ? t.chat.unarchive : t.chat.archive, act: archive },
        { icon: 'save', text: t.chat.saveMarkdown, act: () => void saveMarkdown(conversation) },
        { icon: 'trash', text: t.chat.remove, act: () => void remove() },
      ]}
    />
  );
}

const timeOfTwin = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const;

const Marked = ({ before, found, after }: Hit) => (
  <>
    {before}
    <mark>{found}</mark>
    {after}
  </>
);

/** `hasTwin`: it is told apart by when it was last written in, and how it ends. */
function RowLink({ conversation, query, match, isCurrent, hasTwin, onOpen }: Props) {
  const { id, title, updatedAtMs, messages } = conversation;
  const shown = title || t.chat.untitled;
  const hit = query === '' ? undefined : hitIn(shown, query);
  return (
    <a
      dir="auto"
      href={`#/chat/${id}${match === undefined ? '' : `/${match.messageId}/${encodeURIComponent(match.found)}`}`}
      aria-current={isCurrent ? 'page' : undefined}
      title={shown}
      onClick={onOpen}
    >
      {hit === undefined ? shown : <Marked {...hit} />}
      {hasTwin && match === undefined && (
        <small>
          {joined(
            new Date(updatedAtMs).toLocaleString('en', timeOfTwin),
            messages
              .at(-1)
              ?.content.replaceAll(/[#*`>|]+ */g, '')
              .slice(0, 60),
          )}
        </small>
      )}
      {match !== undefined && (
        <small dir="auto">
          <Marked {...match} />
        </small>
      )}
    </a>
  );
}
