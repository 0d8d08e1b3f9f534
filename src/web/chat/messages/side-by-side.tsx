import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../words/dialog-texts.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import { Segments } from '../../ui/forms/fields.tsx';
import { keepAnswer } from '../branch-actions.ts';
import type { LiveAnswer } from '../answers/answer.ts';
import type { Conversation, Message } from '../conversations/conversation.ts';
import { writeOn } from '../composer/keyboard.ts';
import { answersTo, endOf, shownModel, shownOf } from '../conversations/compared.ts';
import { toRows, type Row } from './rows.ts';
import { speedOf, StatsLine } from './answer/stats-line.tsx';
import './side-by-side.css';

interface TurnsProps {
  readonly conversation: Conversation;
  /** Those of the first question that is compared and all after it. */
  readonly rows: readonly Row[];
  /** The answers that are being written. */
  readonly lives: readonly LiveAnswer[];
  readonly toView: (row: Row, isAtEnd?: boolean) => VNode;
}

/** Questions that several models answered, each with the answers of all of them. */
export function ComparedTurns({ rows, ...shared }: TurnsProps) {
  return turnsOf(rows).map(([question, isAnswered], index, { length }) => (
    <div key={question.message.id} class={`compared${isAnswered ? ' answered' : ''}`}>
      {shared.toView(question)}
      {isAnswered && <SideBySide question={question.message} isEnd={index === length - 1} {...shared} />}
    </div>
  ));
}

/** The questions among `rows`, with whether there is an answer below each. */
const turnsOf = (rows: readonly Row[]): (readonly [Row, boolean])[] =>
  rows.flatMap((row, index) =>
    row.message.role === 'user' ? [[row, rows[index + 1]?.message.role === 'assistant'] as const] : [],
  );

interface Props extends Omit<TurnsProps, 'rows'> {
  readonly question: Message;
  /** Whether it is the last one. */
  readonly isEnd: boolean;
}

/** The answers of several models to a question: in columns, or one at a time where there is room for one. */
function SideBySide(props: Props) {
  const { conversation, question, isEnd, lives, toView } = props;
  const answers = answersTo(conversation, question);
  const shown = shownOf(answers)?.model ?? '';
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => followHeights(box.current),
    answers.map(({ id }) => id),
  );
  return (
    <div ref={box} class="side-by-side">
      <Segments
        label={t.chat.model}
        value={shown}
        onChange={(model) => (shownModel.value = model)}
        options={answers.map((answer) => [
          answer.model ?? '',
          <TabText last={endOf(conversation, answer)} lives={lives} />,
        ])}
      />
      {answers.map((answer) => (
        <Column
          key={answer.model}
          model={answer.model ?? ''}
          isShown={answer.model === shown}
          rows={rowsOf(conversation, answer)}
          {...{ conversation, isEnd, lives, toView }}
        />
      ))}
    </div>
  );
}

/** The model of an answer, and how fast it wrote that, or how it ended otherwise. */
function TabText({ last, lives }: Pick<Props, 'lives'> & { readonly last: Message }) {
  const isWritten = lives.some(({ message }) => message.id === last.id);
  const { model, stats, error, finish } = last;
  const end = error === undefined ? finish === 'stopped' && t.servers.stopped : t.servers.failed;
  return (
    <>
      {model}
      <small class={error === undefined ? undefined : 'failed'}>
        {isWritten ? '…' : end || (stats && speedOf(stats))}
      </small>
    </>
  );
}

/** An answer with all that it wrote after its calls. */
function rowsOf(conversation: Conversation, answer: Message): Row[] {
  const rows = toRows({ ...conversation, leafId: endOf(conversation, answer).id });
  // Versions are those of a branch, and a column has none.
  return rows
    .slice(rows.findIndex(({ message }) => message.id === answer.id))
    .map((row) => ({ ...row, versions: [] }));
}

interface ColumnProps extends Pick<Props, 'conversation' | 'isEnd' | 'lives' | 'toView'> {
  readonly model: string;
  readonly isShown: boolean;
  readonly rows: readonly Row[];
}

function Column({ conversation, isEnd, lives, toView, model, isShown, rows }: ColumnProps) {
  const kept = rows.at(-1)?.message;
  if (kept === undefined) return null;
  const live = lives.find(({ message }) => message.id === kept.id);
  const last = live?.message ?? kept;
  return (
    <section aria-label={model} class={isShown ? 'shown' : undefined}>
      <header>
        <h2 title={model}>{model}</h2>
        <StatsLine message={last} isNamed={false} />
        {live !== undefined && (
          <IconButton
            icon="stop"
            label={t.chat.stopThis(model)}
            onClick={() => {
              live.stop();
              writeOn();
            }}
          />
        )}
        {isEnd && (live !== undefined || last.content !== '') && (
          <Button
            disabled={last.content === ''}
            aria-label={`${t.chat.keepThis}: ${model}`}
            title={t.chat.keepHint}
            text={t.chat.keepThis}
            onClick={() => {
              keepAnswer(conversation.id, last);
              writeOn();
            }}
          />
        )}
      </header>
      {rows.map((row) => toView(row, isEnd && row === rows.at(-1)))}
    </section>
  );
}

/** The height of the fade at the end of the thread, in pixels. */
const fadePx = 28;

/** Keeps three heights for the styles: of the question above `box`, of its attachments, and of the thread less each answer. */
function followHeights(box: HTMLElement | null): (() => void) | undefined {
  const message = box?.previousElementSibling;
  const thread = box?.closest('.thread');
  if (!box || !message || !thread) return;
  const sections = [...box.querySelectorAll<HTMLElement>(':scope > section')];
  const measured = new ResizeObserver(() => {
    const { top, bottom } = message.getBoundingClientRect();
    const start = message.querySelector('.question')?.getBoundingClientRect().top ?? bottom;
    box.parentElement?.style.setProperty('--question', `${bottom - start}px`);
    box.parentElement?.style.setProperty('--above-question', `${start - top}px`);
    for (const { style, offsetHeight } of sections)
      style.setProperty('--end', `${thread.clientHeight - fadePx - offsetHeight}px`);
  });
  for (const one of [message, thread, ...sections]) measured.observe(one);
  return () => measured.disconnect();
}
