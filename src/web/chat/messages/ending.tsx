import type { ComponentChildren } from 'preact';
import { chatModels } from '../../state/models.ts';
import { useNow } from '../../state/polled.ts';
import { toSpan } from '../../span.ts';
import { t } from '../../texts.ts';
import { Button, Problem } from '../../ui/controls.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { answerAgain, continueAnswer } from '../actions.ts';
import type { Message } from '../conversations/conversation.ts';
import { findConversation } from '../conversations/store.ts';

const Fold = lazyPart(async () => (await import('../../ui/fold.tsx')).Fold);

interface Props {
  readonly message: Message;
  /** undefined: it is not the last message, so nothing goes on from it. */
  readonly conversationId: string | undefined;
}

/** Why an answer ended before its end, and how to go on. */
export function Ending({ message, conversationId }: Props) {
  const { error, errorDetails, finish, retryAtMs } = message;
  const why = {
    length: t.chat.cutOff,
    stopped: t.chat.stopped,
    lost: t.chat.lost,
    stop: undefined,
    tool_calls: undefined,
  };
  const note = finish === undefined ? undefined : why[finish];
  const goOn = conversationId !== undefined && canContinue(message, conversationId) && (
    <Button text={t.chat.goOn} onClick={() => continueAnswer(conversationId, message)} />
  );
  return (
    <>
      <Problem text={error} />
      {errorDetails !== undefined && (
        <Fold class="note" title={t.chat.details}>
          <p>{errorDetails}</p>
        </Fold>
      )}
      {conversationId !== undefined &&
        (error !== undefined || (finish === 'lost' && message.content === '')) && (
          <Retry retryAtMs={retryAtMs} onRetry={() => answerAgain(conversationId, message)}>
            {goOn}
            {errorDetails !== undefined && chatModels.value.length > 1 && (
              <Button text={t.chat.chooseAnother} onClick={openModels} />
            )}
          </Retry>
        )}
      {note !== undefined && (
        <p class="ending">
          <span class="note">{note}</span>
          {goOn}
        </p>
      )}
    </>
  );
}

/** Opens the list of the models that may answer in place of the one that cannot be loaded. */
const openModels = () => document.querySelector<HTMLElement>('.model-choice > button')?.click();

/** JSON that must fit a schema cannot be continued: the server would begin it anew. */
const canContinue = ({ content, toolCalls }: Message, conversationId: string) =>
  content !== '' &&
  toolCalls === undefined &&
  findConversation(conversationId)?.settings.schema === undefined;

interface RetryProps {
  readonly retryAtMs: number | undefined;
  readonly onRetry: () => void;
  /** Another way on. */
  readonly children: ComponentChildren;
}

/** The way to ask again, once the server will take the request. */
function Retry({ retryAtMs, onRetry, children }: RetryProps) {
  const nowMs = useNow(1000, retryAtMs !== undefined);
  const seconds = retryAtMs === undefined ? 0 : Math.ceil((retryAtMs - nowMs) / 1000);
  const waits = seconds > 0;
  return (
    <p class="actions">
      {waits && <span role="timer">{t.chat.retryIn(toSpan(seconds))}</span>}
      <Button disabled={waits} text={t.shell.tryAgain} onClick={onRetry} />
      {!waits && children}
    </p>
  );
}
