import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../../texts.ts';
import { IconButton } from '../../ui/controls.tsx';
import type { LiveAnswer } from '../answer.ts';
import { branchOf, versionsOf, type Conversation } from '../conversations/conversation.ts';
import { MessageView } from './message-view.tsx';

interface Props {
  readonly conversation: Conversation;
  readonly live: LiveAnswer | undefined;
}

/** How near to the end, in pixels, the person must be for the view to follow the answer. */
const nearPx = 80;

/** The messages of the shown branch, and the answer that is being written. */
export function Thread({ conversation, live }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const [isAway, setIsAway] = useState(false);
  const branch = useMemo(() => withVersions(conversation), [conversation]);
  const last = branch.at(-1)?.message;
  // An answer that is being continued takes the place of what was written of it.
  const continued = live !== undefined && live.message.id === last?.id;
  const showsLive = continued || (live !== undefined && live.message.parentId === conversation.leafId);
  const ended = continued ? branch.slice(0, -1) : branch;
  // One list, so that the end of an answer leaves what is shown of it as it is.
  const shown = showsLive && live !== undefined ? [...ended, { message: live.message, versions: [] }] : ended;

  useEffect(() => {
    follows.current = true;
  }, [conversation.id, live?.message.id]);
  useEffect(() => {
    if (follows.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  });

  return (
    <div
      class="thread"
      ref={box}
      tabindex={0}
      role="log"
      aria-label={t.chat.conversations}
      aria-live="off"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        const belowPx = scrollHeight - scrollTop - clientHeight;
        follows.current = belowPx < nearPx;
        setIsAway(belowPx > clientHeight);
      }}
    >
      <Heading conversation={conversation} />
      {shown.map(({ message, versions }, index) => (
        <MessageView
          key={message.id}
          message={message}
          conversationId={message === live?.message ? undefined : conversation.id}
          versions={versions}
          isLast={index === shown.length - 1 && !showsLive}
          growing={message === live?.message}
        />
      ))}
      {isAway && (
        <div class="to-end">
          <IconButton
            icon="down"
            label={t.chat.toEnd}
            onClick={() => box.current?.scrollTo({ top: box.current.scrollHeight })}
          />
        </div>
      )}
      <p class="visually-hidden" role="status">
        {live === undefined ? '' : t.chat.waiting}
      </p>
    </div>
  );
}

/** A welcome where nothing was said yet. */
const Heading = ({ conversation: { leafId, title } }: { conversation: Conversation }) =>
  leafId === null ? (
    <div class="welcome">
      <h1>{t.chat.empty}</h1>
      <p>{t.chat.emptyHint}</p>
    </div>
  ) : (
    <h1 class="visually-hidden">{title || t.chat.untitled}</h1>
  );

/** The messages of the shown branch, each with the ids of its versions. */
const withVersions = (conversation: Conversation) =>
  branchOf(conversation).map((message) => ({
    message,
    versions: versionsOf(conversation, message).map(({ id }) => id),
  }));
