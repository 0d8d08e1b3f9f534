import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../words/dialog-texts.ts';
import { Button } from '../../ui/controls.tsx';
import { Segments } from '../../ui/forms/fields.tsx';
import { keepAnswer } from '../actions.ts';
import type { LiveAnswer } from '../answers/answer.ts';
import type { Conversation, Message } from '../conversations/conversation.ts';
import { StatsLine } from './answer/stats-line.tsx';
import { answersTo } from './compared-answers.ts';
import './side-by-side.css';

interface Props {
  readonly conversation: Conversation;
  readonly questionId: string;
  /** The answers that are being written. */
  readonly lives: readonly LiveAnswer[];
  readonly children: (answer: Message) => ComponentChildren;
}

/** The answers of several models to a question: in columns, or one at a time where there is room for one. */
export function SideBySide({ conversation, questionId, lives, children }: Props) {
  const answers = answersTo(conversation, questionId).map(
    (answer) => lives.find(({ message }) => message.id === answer.id)?.message ?? answer,
  );
  const names = answers.map(({ model = '' }) => model);
  const [chosen, setChosen] = useState('');
  const shown = names.includes(chosen) ? chosen : (names[0] ?? '');
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
        onChange={setChosen}
        options={names.map((name) => [name, name])}
      />
      {answers.map((message) => (
        <section
          key={message.id}
          aria-label={message.model}
          class={classOf({
            isShown: message.model === shown,
            isFollowed: message.id === conversation.leafId,
          })}
        >
          <header>
            <h2 title={message.model}>{message.model}</h2>
            <StatsLine message={message} isNamed={false} />
            <Button
              disabled={message.content === ''}
              aria-label={`${t.chat.keepThis}: ${message.model}`}
              title={t.chat.keepThis}
              text={
                <>
                  <span class="long">{t.chat.keepThis}</span>
                  <span class="short">{t.chat.keep}</span>
                </>
              }
              onClick={() => keepAnswer(conversation.id, message)}
            />
          </header>
          {children(message)}
        </section>
      ))}
    </div>
  );
}

const classOf = ({ isShown, isFollowed }: { isShown: boolean; isFollowed: boolean }) =>
  [isShown && 'shown', isFollowed && 'followed'].filter(Boolean).join(' ');

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
