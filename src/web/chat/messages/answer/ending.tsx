import type { ComponentProps } from 'preact';
import { chatModels } from '../../../state/models.ts';
import { useNow } from '../../../state/polled.ts';
import { toSpan } from '../../../words/span.ts';
import { t } from '../../../words/texts.ts';
import { Button, Problem } from '../../../ui/controls.tsx';
import { lazyPart } from '../../../ui/rendering/lazy-part.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { answerAgain, answerWith, continueAnswer, isCompared } from '../../actions.ts';
import type { Message } from '../../conversations/conversation.ts';
import { findConversation } from '../../conversations/store.ts';
import { ModelList } from '../../models/lazy-list.ts';

const Refusal = lazyPart(async () => (await import('./refusal.tsx')).Refusal);
const Fold = lazyPart(async () => (await import('../../../ui/fold.tsx')).Fold);

interface Props {
  readonly message: Message;
  /** undefined: it is not the last message, so nothing goes on from it. */
  readonly conversationId: string | undefined;
}

/** Why an answer ended before its end, and how to go on. */
export function Ending({ message, conversationId }: Props) {
  const { error, errorKind, errorDetails } = message;
  const note = noteOf(message);
  const here = conversationId === undefined ? undefined : { message, conversationId };
  return (
    <>
      {errorKind === 'limit' ? <Refusal text={error} /> : <Problem text={error} />}
      {errorDetails !== undefined && (
        <Fold class="note" title={t.chat.details}>
          <p>{errorDetails}</p>
        </Fold>
      )}
      {here && error !== undefined && <WaysOn {...here} />}
      {note !== undefined && (
        <p class="ending">
          <span class="note">{note}</span>
          {here && <GoOn {...here} />}
          {here && offersAgain(message) && <AskAgain text={t.chat.regenerate} {...here} />}
        </p>
      )}
    </>
  );
}

/** Why it ended before its end; undefined: it did not, or it failed. */
function noteOf({ finish }: Message): string | undefined {
  const { cutOff: length, stopped, lost } = t.chat;
  return finish === undefined
    ? undefined
    : { length, stopped, lost, stop: undefined, tool_calls: undefined }[finish];
}

/** Whether its ending has a button that asks for the answer again. */
export const offersAgain = (message: Message): boolean =>
  message.error !== undefined || (message.content === '' && noteOf(message) !== undefined);

interface Place {
  readonly message: Message;
  readonly conversationId: string;
}

/** JSON that must fit a schema cannot be continued: the server would begin it anew. */
function GoOn({ message, conversationId }: Place) {
  const isJson = findConversation(conversationId)?.settings.schema !== undefined;
  if (message.content === '' || message.toolCalls !== undefined || isJson) return null;
  return <Button text={t.chat.goOn} onClick={() => continueAnswer(conversationId, message)} />;
}

const AskAgain = ({ message, conversationId, ...button }: Place & ComponentProps<typeof Button>) => (
  <Button {...button} onClick={() => answerAgain(conversationId, message)} />
);

/** The buttons below an answer that failed. Until the server takes the request again, `Try again` counts the seconds. */
function WaysOn(here: Place) {
  const { message, conversationId } = here;
  const { retryAtMs, errorKind } = message;
  const nowMs = useNow(1000, retryAtMs !== undefined);
  const seconds = retryAtMs === undefined ? 0 : Math.ceil((retryAtMs - nowMs) / 1000);
  const waits = seconds > 0;
  // Of several columns each has its own model, which is chosen above.
  const canChange = errorKind === 'model' && !isCompared(conversationId, message);
  return (
    <p class="actions">
      {/* Its text says itself when a budget of hours or days is full again. */}
      {waits && seconds < 3600 && <span role="timer">{t.chat.retryIn(toSpan(seconds))}</span>}
      {!waits && <GoOn {...here} />}
      <AskAgain disabled={waits} text={t.shell.tryAgain} {...here} />
      {canChange && chatModels.value.length > 1 && <AskAnother {...here} />}
      {errorKind === 'limit' && (
        <a class="button" href="#/limits">
          {t.chat.seeLimits}
        </a>
      )}
    </p>
  );
}

const AskAnother = ({ message, conversationId }: Place) => (
  <Popover label={t.chat.answerWithAnother} class="model-choice" button={t.chat.answerWithAnother}>
    {(close) => (
      <ModelList
        without={message.model}
        onChoose={(model) => {
          close();
          answerWith(conversationId, message, model);
        }}
      />
    )}
  </Popover>
);
