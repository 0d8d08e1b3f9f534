import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../../texts.ts';
import { IconButton } from '../../ui/controls.tsx';
import { keepAnswer } from '../actions.ts';
import type { LiveAnswer } from '../answers/answer.ts';
import { branchOf, versionsOf, type Conversation, type Message } from '../conversations/conversation.ts';
import { MessageView } from './message-view.tsx';
import { Welcome } from './welcome.tsx';

interface Props {
  readonly conversation: Conversation;
  /** The answers that are being written in it. */
  readonly lives: readonly LiveAnswer[];
  readonly onAsk: (question: string) => void;
}

/** How near to the end, in pixels, the person must be for the view to follow the answer. */
const nearPx = 80;

/** The messages of the shown branch, as far as they are written. */
export function Thread({ conversation, lives, onAsk }: Props) {
  const { id, leafId, title, comparedId } = conversation;
  const box = useRef<HTMLDivElement>(null);
  const [isAway, setIsAway] = useState(false);
  const branch = useMemo(() => withVersions(conversation), [conversation]);
  const compared = branch.at(-1)?.message.parentId === comparedId ? comparedId : undefined;
  const shown = compared === undefined ? branch : branch.slice(0, -1);
  const toView = ({ message, versions }: WithVersions) => {
    const live = lives.find((one) => one.message.id === message.id)?.message;
    const growing = live !== undefined || message.stream !== undefined;
    return (
      <MessageView
        key={message.id}
        message={live ?? message}
        conversationId={growing ? undefined : id}
        versions={versions}
        isLast={message.id === leafId && !growing}
        growing={growing}
      />
    );
  };
  useFollowing(box, lives.at(-1)?.message.id);

  return (
    <div
      class="thread"
      ref={box}
      tabindex={0}
      role="log"
      aria-label={t.chat.conversations}
      aria-live="off"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
        setIsAway(scrollHeight - scrollTop - clientHeight > clientHeight)
      }
    >
      {leafId === null ? (
        <Welcome onAsk={onAsk} />
      ) : (
        <h1 class="visually-hidden">{title || t.chat.untitled}</h1>
      )}
      {shown.map(toView)}
      {compared !== undefined && (
        <div class="side-by-side">
          {answersTo(conversation, compared).map((message) => (
            <section key={message.id} aria-label={message.model}>
              {toView({ message, versions: [] })}
              <button type="button" disabled={lives.length > 0} onClick={() => keepAnswer(id, message.id)}>
                {t.chat.keepThis(message.model ?? '')}
              </button>
            </section>
          ))}
        </div>
      )}
      {isAway && <ToEnd onGo={() => box.current?.scrollTo({ top: box.current.scrollHeight })} />}
      <p class="visually-hidden" role="status">
        {lives.length === 0 ? '' : t.chat.waiting}
      </p>
    </div>
  );
}

const ToEnd = ({ onGo }: { onGo: () => void }) => (
  <div class="to-end">
    <IconButton icon="down" label={t.chat.toEnd} onClick={onGo} />
  </div>
);

/** Keeps the end of `box` in sight while the person is near it. A new answer goes there. */
function useFollowing(box: { readonly current: HTMLDivElement | null }, answerId: string | undefined): void {
  const follows = useRef(true);
  const lastTop = useRef(0);
  const lastAnswerId = useRef(answerId);
  useLayoutEffect(() => {
    // That an answer ends is no reason to go anywhere.
    if (answerId !== undefined && answerId !== lastAnswerId.current) {
      follows.current = true;
      lastTop.current = 0;
    }
    lastAnswerId.current = answerId ?? lastAnswerId.current;
  }, [answerId]);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const scrolled = () => {
      follows.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx;
    };
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => element.removeEventListener('scroll', scrolled);
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    if (!follows.current || element === null) return;
    // The event of a scroll may come later than the next part of the answer.
    if (element.scrollTop < lastTop.current - 1) follows.current = false;
    else {
      element.scrollTop = element.scrollHeight;
      lastTop.current = element.scrollTop;
    }
  });
}

interface WithVersions {
  readonly message: Message;
  /** The ids of its versions. */
  readonly versions: readonly string[];
}

const withVersions = (conversation: Conversation): WithVersions[] =>
  branchOf(conversation).map((message) => ({
    message,
    versions: versionsOf(conversation, message).map(({ id }) => id),
  }));

/** The last two answers to a question, as they were begun. */
const answersTo = ({ messages }: Conversation, questionId: string): Message[] =>
  messages.filter(({ parentId, role }) => parentId === questionId && role === 'assistant').slice(-2);
