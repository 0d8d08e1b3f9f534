import { importPart } from '../../../api/connection.ts';
import { voiceModels } from '../../../state/models.ts';
import { go } from '../../../state/route.ts';
import { CopyButton, IconButton } from '../../../ui/controls.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Menu } from '../../../ui/overlays/popover.tsx';
import { lazyPart } from '../../../ui/rendering/lazy-part.tsx';
import { t } from '../../../words/texts.ts';
import { answerAgain, modelFor, remove, turnTo } from '../../actions.ts';
import type { Message } from '../../conversations/conversation.ts';
import { offersAgain } from '../answer/cut-short.ts';
import { StatsLine } from '../answer/stats-line.tsx';
import { focusIn } from '../focus-in.ts';
import type { MessageProps } from '../rows.ts';

const ReadButton = lazyPart(async () => (await import('../../../voice/voice-bar.tsx')).ReadButton);

/** The acts on a message, and the facts about it. */
export function MessageTools({ onEdit, ...props }: MessageProps & { readonly onEdit: () => void }) {
  const { message, conversationId, isMixed, growing } = props;
  const isWritten = message.content !== '';
  const isAnswer = message.role === 'assistant';
  const isRead = isWritten && isAnswer && voiceModels.value.length > 0;
  if (growing) return isRead ? <ReadButton messageId={message.id} growing /> : null;
  return (
    <>
      {!isAnswer && <Versions {...props} />}
      {isRead && <ReadButton messageId={message.id} growing={false} />}
      {isWritten && <CopyButton text={message.content} />}
      {isAnswer ? (
        <AnswerTools {...props} onEdit={isWritten && onEdit} />
      ) : (
        <>
          {isWritten && <IconButton icon="edit" label={t.chat.edit} data-pencil onClick={onEdit} />}
          <IconButton
            icon="trash"
            label={removeLabel(props)}
            onClick={() => remove(conversationId, message)}
          />
        </>
      )}
      {isAnswer && <Versions {...props} />}
      <StatsLine message={message} isOneOfSeveral={isMixed} hasRow={isMixed && props.versions.length > 1} />
    </>
  );
}

/** The button that asks again, and the menu of an answer. */
function AnswerTools({
  message,
  conversationId,
  isLast,
  onEdit,
}: MessageProps & { readonly onEdit: (() => void) | false }) {
  const toFork = async () => {
    const part = await importPart(() => import('../../branch-actions.ts')).catch(() => undefined);
    const id = part?.fork(conversationId, message);
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
          { icon: 'fork', text: t.chat.fork, act: () => void toFork() },
          { icon: 'trash', text: removeLabel({ isLast }), act: () => remove(conversationId, message) },
        ]}
      />
    </>
  );
}

function Versions({ message, versions, conversationId }: MessageProps) {
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

/** Messages behind it go with it. */
const removeLabel = ({ isLast }: Pick<MessageProps, 'isLast'>) =>
  isLast ? t.chat.removeMessage : t.chat.removeFrom;

function againLabel({ model }: Message, next: string | undefined): string {
  return next === undefined || next === model ? t.chat.regenerate : t.chat.regenerateWith(next);
}
