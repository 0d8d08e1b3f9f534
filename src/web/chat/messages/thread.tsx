import { useEffect, useMemo, useRef } from 'preact/hooks';
import { importPart, isServerAway } from '../../api/connection.ts';
import { routeParts } from '../../state/route.ts';
import { t } from '../../words/texts.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import { lazyPart } from '../../ui/rendering/lazy-part.tsx';
import { answerEnd, turnTo } from '../actions.ts';
import type { LiveAnswer } from '../answers/answer.ts';
import type { Conversation } from '../conversations/conversation.ts';
import { useFollowing } from './following.ts';
import { MessageView } from './message-view.tsx';
import { toRows, type Row } from './rows.ts';
import { Welcome } from '../welcome/welcome.tsx';

const ComparedTurns = lazyPart(async () => (await import('./side-by-side.tsx')).ComparedTurns);

interface Props {
  readonly conversation: Conversation;
  /** The answers that are being written in it. */
  readonly lives: readonly LiveAnswer[];
  readonly onAsk: (question: string) => void;
}

/** The messages of the shown branch, as far as they are written. */
export function Thread({ conversation, lives, onAsk }: Props) {
  const { id, leafId, title, comparedId } = conversation;
  const name = title || t.chat.untitled;
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => toRows(conversation), [conversation]);
  const [, , soughtId, soughtWords] = routeParts.value;
  const growingId = lives.find(({ message }) => message.id === leafId)?.message.id;
  const { isAway, goToEnd } = useFollowing(box, leafId !== null, growingId, soughtId);
  useSought(conversation, rows, soughtId, soughtWords);
  const comparedAt = rows.findIndex(({ message }) => message.id === comparedId);
  const [alone, compared] = comparedAt < 0 ? [rows, []] : [rows.slice(0, comparedAt), rows.slice(comparedAt)];
  const isFinal = lives.length === 0;
  const toView = viewOf({ conversation, lives, soughtId, lastRow: rows.at(-1) });
  return (
    <div class="thread" ref={box} tabindex={0} role="log" aria-label={name} aria-live="off">
      <div>
        {leafId === null ? (
          <Welcome conversation={conversation} onAsk={onAsk} />
        ) : (
          <h1 class="visually-hidden">{name}</h1>
        )}
        {alone.map((row) => toView(row))}
        {compared.length > 0 && <ComparedTurns rows={compared} {...{ conversation, lives, toView }} />}
        {isFinal && <Unanswered row={rows.at(-1)} conversationId={id} />}
      </div>
      {isAway && leafId !== null && (
        <div class="to-end">
          <IconButton icon="down" label={t.chat.toEnd} onClick={goToEnd} />
        </div>
      )}
      <p class="visually-hidden" role="status">
        {!isFinal && !isServerAway.value && (lives[0]?.message.content ? t.chat.writing : t.chat.waiting)}
      </p>
    </div>
  );
}

/** Shows the branch that has the message which was searched for, and marks the words. */
function useSought(
  { id, messages }: Conversation,
  rows: readonly Row[],
  soughtId: string | undefined,
  words: string | undefined,
): void {
  const isShown = rows.some(({ message }) => message.id === soughtId);
  useEffect(() => {
    if (!isShown && messages.some((message) => message.id === soughtId)) turnTo(id, soughtId ?? '');
  }, [soughtId]);
  useEffect(() => {
    if (!isShown || soughtId === undefined || words === undefined) return;
    const marked = importPart(() => import('./found-words.ts')).then(({ markWords }) =>
      markWords(soughtId, words),
    );
    return () => void marked.then((unmark) => unmark());
  }, [soughtId, words, isShown]);
}

interface Shown extends Pick<Props, 'conversation' | 'lives'> {
  readonly soughtId: string | undefined;
  readonly lastRow: Row | undefined;
}

/** Makes the view of a row; `isAtEnd`: of one after which nothing was said. */
function viewOf({ conversation, lives, soughtId, lastRow }: Shown) {
  const isMixed = new Set(conversation.messages.flatMap(({ model }) => model ?? [])).size > 1;
  return (row: Row, isAtEnd = row === lastRow && lives.length === 0) => {
    const { message, isContinued } = row;
    const live = lives.find((one) => one.message.id === message.id)?.message;
    const growing = live !== undefined || message.stream !== undefined;
    return (
      <MessageView
        key={message.id}
        {...row}
        message={live ?? message}
        conversationId={conversation.id}
        isLast={!isContinued && !growing && isAtEnd}
        growing={growing}
        isMixed={isMixed}
        isSought={message.id === soughtId}
      />
    );
  };
}

/** The way on from a question, or from calls, whose answer was deleted. */
function Unanswered({ row, conversationId }: { row: Row | undefined; conversationId: string }) {
  if (row === undefined || (row.message.role !== 'user' && row.answers.length === 0)) return null;
  return (
    <p class="unanswered">
      <Button text={t.chat.answerThis} onClick={() => answerEnd(conversationId)} />
    </p>
  );
}
