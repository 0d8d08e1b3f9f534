import { useState } from 'preact/hooks';
import { lazyPart } from '../../ui/rendering/lazy-part.tsx';
import { memo } from '../../ui/rendering/memo.ts';
import { wantedCalls } from '../conversations/parts.ts';
import { AnswerParts } from './answer/answer-parts.tsx';
import { offersAgain } from './answer/cut-short.ts';
import { Ending } from './answer/ending.tsx';
import { focusIn } from './focus-in.ts';
import { MessageTools } from './actions/message-tools.tsx';
import type { MessageProps } from './rows.ts';
import { Question } from './question/question.tsx';

const Editor = lazyPart(async () => (await import('./actions/editor.tsx')).Editor);

/** One message with its acts. */
export const MessageView = memo((props: MessageProps) => {
  const { message, conversationId, isContinued, isLast, growing } = props;
  const [editing, setEditing] = useState(false);
  if (editing && !growing)
    return (
      <Editor
        message={message}
        conversationId={conversationId}
        onClose={(isAnswered) => {
          setEditing(false);
          if (!isAnswered) focusIn(message.id, ':is([data-pencil], .small-menu > button)');
        }}
      />
    );
  const here = isLast ? conversationId : undefined;
  return (
    <article class={toClass(props)} data-id={message.id} tabindex={-1}>
      {message.role === 'user' ? (
        <Question message={message} />
      ) : (
        <AnswerParts {...props} conversationId={here} />
      )}
      <Ending message={message} conversationId={here} />
      {(growing ? message.content !== '' : !isContinued && !hasOwnButtons(props)) && (
        <footer
          class="message-tools"
          dir={message.role === 'assistant' && beginsAtRight.test(message.content) ? 'rtl' : undefined}
        >
          <MessageTools {...props} onEdit={() => setEditing(true)} />
        </footer>
      )}
    </article>
  );
}, isSame);

const toClass = ({ message, isContinued, isLast, isSought, growing, versions }: MessageProps) =>
  `message ${message.role}${isContinued ? ' continued' : ''}${isLast ? ' last' : ''}${isSought ? ' sought' : ''}${!growing && versions.length > 1 ? ' varied' : ''}`;

/** A text whose first letter is of a script that is written from the right: Hebrew, Arabic and those beside them in Unicode. */
const beginsAtRight = /^\P{L}*[\u0590-\u08ff]/u;

/** Whether the acts stand with its ending, or with the calls that it wants. */
const hasOwnButtons = ({ message, isLast, versions, answers }: MessageProps) => {
  const isEmpty = message.content === '' && versions.length < 2 && offersAgain(message);
  return isLast && (isEmpty || (answers.length === 0 && wantedCalls(message).length > 0));
};

/** Lists are made anew with every message, also where they hold the same. */
function isSame(old: MessageProps, next: MessageProps): boolean {
  const isEqual = (name: keyof MessageProps) => {
    const [one, other]: unknown[] = [old[name], next[name]];
    if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
    return one.length === other.length && one.every((item, index) => item === other[index]);
  };
  return (Object.keys(next) as (keyof MessageProps)[]).every(isEqual);
}
