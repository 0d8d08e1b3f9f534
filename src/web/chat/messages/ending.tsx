import type { ComponentChildren } from 'preact';
import { useNow } from '../../state/polled.ts';
import { t } from '../../texts.ts';
import { Button, Problem } from '../../ui/controls.tsx';
import { answerAgain, continueAnswer } from '../actions.ts';
import type { Message } from '../conversations/conversation.ts';
import { findConversation } from '../conversations/store.ts';

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
        <details class="note">
          <summary>{t.chat.details}</summary>
          {errorDetails}
        </details>
      )}
      {conversationId !== undefined &&
        (error !== undefined || (finish === 'lost' && message.content === '')) && (
          <Retry retryAtMs={retryAtMs} onRetry={() => answerAgain(conversationId, message)}>
            {goOn}
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
      {waits && <span role="timer">{t.chat.retryIn(seconds)}</span>}
      <Button disabled={waits} text={t.shell.tryAgain} onClick={onRetry} />
      {!waits && children}
    </p>
  );
}
