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
  const branch = useMemo(() => branchOf(conversation), [conversation]);
  const last = branch.at(-1);
  // An answer that is being continued takes the place of what was written of it.
  const continued = live !== undefined && live.message.id === last?.id;
  const showsLive = continued || (live !== undefined && live.message.parentId === conversation.leafId);
  const ended = continued ? branch.slice(0, -1) : branch;

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
      {branch.length === 0 && (
        <div class="welcome">
          <h1>{t.chat.empty}</h1>
          <p>{t.chat.emptyHint}</p>
        </div>
      )}
      {ended.map((message, index) => (
        <MessageView
          key={message.id}
          message={message}
          conversationId={conversation.id}
          versions={versionsOf(conversation, message).map(({ id }) => id)}
          isLast={index === ended.length - 1 && !showsLive}
        />
      ))}
      {showsLive && live !== undefined && (
        <MessageView key={live.message.id} message={live.message} growing />
      )}
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
