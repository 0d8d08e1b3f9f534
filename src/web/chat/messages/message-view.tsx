import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { CopyButton, IconButton } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/popover.tsx';
import { lazyPart } from '../../ui/rendering/lazy-part.tsx';
import { memo } from '../../ui/rendering/memo.ts';
import { voiceModels } from '../../state/models.ts';
import { go } from '../../state/route.ts';
import { t } from '../../words/texts.ts';
import { answerAgain, fork, modelFor, remove, turnTo } from '../actions.ts';
import type { Message } from '../conversations/conversation.ts';
import { wantedCalls } from '../conversations/parts.ts';
import { AnswerParts } from './answer/answer-parts.tsx';
import { offersAgain } from './answer/cut-short.ts';
import { Ending } from './answer/ending.tsx';
import { Question } from './question/question.tsx';
import { Figures, StatsLine } from './answer/stats-line.tsx';

const Editor = lazyPart(async () => (await import('./editor.tsx')).Editor);
const LoadedReadButton = lazyPart(async () => (await import('../../voice/voice-bar.tsx')).ReadButton);

/** A message with what the branch that is shown has about it. */
export interface Row {
  readonly message: Message;
  /** The ids of its versions, its own included, oldest first. */
  readonly versions: readonly string[];
  /** What was said to the calls that it wants. */
  readonly answers: readonly Message[];
  /** The message before it whose calls it goes on with, and what was said to these. */
  readonly asked?: Message | undefined;
  readonly said?: readonly Message[];
  /** Whether the next message goes on with it, after its calls. */
  readonly isContinued: boolean;
}

interface Props extends Row {
  readonly conversationId: string;
  readonly isLast: boolean;
  /** Whether several models answered in the chat. */
  readonly isMixed: boolean;
  /** Whether it was searched for. */
  readonly isSought: boolean;
  /** Whether it is being written. */
  readonly growing: boolean;
}

/** One message with what can be done with it. */
export const MessageView = memo((props: Props) => {
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
      {!growing && !isContinued && !hasOwnButtons(props) && (
        <MessageTools {...props} onEdit={() => setEditing(true)} />
      )}
      {growing && message.content !== '' && (
        <footer class="message-tools">
          <ReadButton messageId={message.id} growing />
        </footer>
      )}
    </article>
  );
}, isSame);

const toClass = ({ message, isContinued, isLast, isSought }: Props) =>
  `message ${message.role}${isContinued ? ' continued' : ''}${isLast ? ' last' : ''}${isSought ? ' sought' : ''}`;

/** Leads the keyboard to a button of a message that shows in a moment. */
const focusIn = (messageId: string, button: string) =>
  setTimeout(() =>
    document.querySelector<HTMLElement>(`[data-id="${CSS.escape(messageId)}"] ${button}`)?.focus(),
  );

/** Whether what can be done is said with its ending, or with the calls that it wants. */
const hasOwnButtons = ({ message, isLast, versions, answers }: Props) => {
  const isEmpty = message.content === '' && versions.length < 2 && offersAgain(message);
  return isLast && (isEmpty || (answers.length === 0 && wantedCalls(message).length > 0));
};

/** Lists are made anew with every message, also where they hold the same. */
function isSame(old: Props, next: Props): boolean {
  const isEqual = (name: keyof Props) => {
    const [one, other]: unknown[] = [old[name], next[name]];
    if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
    return one.length === other.length && one.every((item, index) => item === other[index]);
  };
  return (Object.keys(next) as (keyof Props)[]).every(isEqual);
}

function MessageTools({ onEdit, ...props }: Props & { readonly onEdit: () => void }) {
  const { message, conversationId, isMixed } = props;
  const isWritten = message.content !== '';
  return (
    <footer class="message-tools">
      <Versions {...props} />
      {isWritten && message.role === 'assistant' && <ReadButton messageId={message.id} growing={false} />}
      {isWritten && <CopyButton text={message.content} />}
      {message.role === 'user' ? (
        <>
          {isWritten && <IconButton icon="edit" label={t.chat.edit} data-pencil onClick={onEdit} />}
          <IconButton
            icon="trash"
            label={removeLabel(props)}
            onClick={() => remove(conversationId, message)}
          />
        </>
      ) : (
        <AnswerTools {...props} onEdit={isWritten && onEdit} />
      )}
      <StatsLine message={message} isOneOfSeveral={isMixed} />
    </footer>
  );
}

/** The button that asks again, and the menu of an answer. A phone has no room for figures beside versions: the menu has them. */
function AnswerTools({
  message,
  conversationId,
  isLast,
  onEdit,
}: Props & { readonly onEdit: (() => void) | false }) {
  const toFork = () => {
    const id = fork(conversationId, message);
    if (id !== undefined) go('chat', id);
  };
  return (
    <>
      {!(isLast && offersAgain(message)) && (
        <IconButton
          icon="again"
          label={againLabel(message, modelFor(conversationId, message))}
          onClick={() => answerAgain(conversationId, message)}
        />
      )}
      <Menu
        label={t.shell.more}
        class="small-menu"
        button={<Icon name="more" />}
        items={[
          onEdit && { icon: 'edit', text: t.chat.correct, act: onEdit },
          { icon: 'fork', text: t.chat.fork, act: toFork },
          { icon: 'trash', text: removeLabel({ isLast }), act: () => remove(conversationId, message) },
        ]}
      >
        <Figures message={message} />
      </Menu>
    </>
  );
}

function Versions({ message, versions, conversationId }: Props) {
  const at = versions.indexOf(message.id);
  const last = versions.length - 1;
  const show = (index: number, side: 'first' | 'last') => {
    const id = versions[index] ?? message.id;
    turnTo(conversationId, id);
    // At an end only the way back can be pressed.
    focusIn(id, `.versions > :${index === 0 ? 'last' : index === last ? 'first' : side}-child`);
  };
  if (versions.length < 2) return null;
  return (
    <span class="versions">
      <IconButton
        icon="left"
        label={t.chat.previous}
        disabled={at === 0}
        onClick={() => show(at - 1, 'first')}
      />
      {at + 1}/{versions.length}
      <IconButton
        icon="right"
        label={t.chat.next}
        disabled={at === last}
        onClick={() => show(at + 1, 'last')}
      />
    </span>
  );
}

/** Where there is a model to read answers aloud. */
const ReadButton = (props: ComponentProps<typeof LoadedReadButton>) =>
  voiceModels.value.length > 0 ? <LoadedReadButton {...props} /> : null;

/** What follows goes with it. */
const removeLabel = ({ isLast }: Pick<Props, 'isLast'>) =>
  isLast ? t.chat.removeMessage : t.chat.removeFrom;

function againLabel({ model }: Message, next: string | undefined): string {
  return next === undefined || next === model ? t.chat.regenerate : t.chat.regenerateWith(next);
}
