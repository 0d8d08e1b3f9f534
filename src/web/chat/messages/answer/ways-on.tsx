import { Button, CopyButton, Problem } from '../../../ui/controls.tsx';
import { Fold } from '../../../ui/fold.tsx';
import { modelsUsedUp, isUsedUp } from '../../../limits/used-up.ts';
import type { LimitList } from '../../../api/types.ts';
import { useUser } from '../../../state/asked.ts';
import { chatModels, isWell } from '../../../state/models.ts';
import { useNow } from '../../../state/polled.ts';
import { t } from '../../../words/dialog-texts.ts';
import { toSpan } from '../../../words/span.ts';
import { toExactTime, toMoment } from '../../../words/times.ts';
import { answerAgain, isOneOfSeveral } from '../../actions.ts';
import { answerWith, continueAnswer } from '../../branch-actions.ts';
import type { Message } from '../../conversations/conversation.ts';
import { findConversation } from '../../conversations/store.ts';
import { withLongerContext } from '../../models/longer-context.ts';
import { ModelPopover } from '../../models/model-popover.tsx';
import { offersAgain } from './cut-short.ts';
import './ways-on.css';

interface Props {
  readonly message: Message;
  /** undefined: nothing goes on from it. */
  readonly conversationId: string | undefined;
}

/** The reason why an answer ended before its end, and the buttons that help. */
export function WaysOn({ message, conversationId }: Props) {
  const { error, errorKind, errorDetails } = message;
  const here = conversationId === undefined ? undefined : { message, conversationId };
  const isRefused = errorKind === 'limit';
  return (
    <>
      {isRefused && <Problem text={withMoment(error)} />}
      <Asked {...message} />
      {errorDetails !== undefined && (
        <Fold class="note" title={t.chat.details}>
          <p>{errorDetails}</p>
        </Fold>
      )}
      {here && error !== undefined && (isRefused ? <AfterRefusal {...here} /> : <AfterFailure {...here} />)}
      {error === undefined && <AfterStop {...{ message, here }} />}
      <FailedRequest {...message} />
    </>
  );
}

/** Which model failed, where neither its message nor, as the styles have it, the heading of its column says so. */
function Asked({ error = '', model = '' }: Message) {
  const isTold = error === '' || error.includes(model);
  return isTold ? null : <p class="note asked-model">{model}</p>;
}

/** The id by which the operator finds the request that failed, to be copied for them. */
function FailedRequest({ failedRequest, model, error }: Message) {
  if (failedRequest === undefined) return null;
  const { id, atMs } = failedRequest;
  const report = `${error}\n${model}\n${new Date(atMs).toISOString()}\n${id}`;
  return (
    <p class="failed-request">
      <span>
        {t.chat.requestOf(toExactTime(atMs / 1000))} <code>{id}</code>
      </span>
      <CopyButton label={t.chat.copyRequest} text={report} />
    </p>
  );
}

/** Where the server tells of a budget when it is full again. */
const momentIn = /at (\d{4}-\S+Z)/;

/** The server's message about a limit; the time in it is told from the day of reading: `tonight at midnight`. */
const withMoment = (text: string | undefined) =>
  text?.replace(momentIn, (_, time: string) => toMoment(new Date(time)));

interface Place {
  readonly message: Message;
  readonly conversationId: string;
}

/** An answer that somebody, or its token limit, ended, or whose rest is lost. */
function AfterStop({ message, here }: { message: Message; here: Place | undefined }) {
  const { cutOff: length, stopped, lost } = t.chat;
  const notes: Readonly<Record<string, string>> = { length, stopped, lost };
  return (
    <p class="ending">
      <span class="note">{notes[message.finish ?? '']}</span>
      {here && <GoOn {...here} />}
      {here && offersAgain(message) && (
        <>
          <AskAgain text={t.chat.regenerate} {...here} />
          <AskAnother {...here} />
        </>
      )}
    </p>
  );
}

/** Below an answer that failed. Until the server takes the request again, `Try again` counts the seconds. */
function AfterFailure(here: Place) {
  const seconds = useSecondsLeft(here.message);
  const { errorKind } = here.message;
  if (errorKind === 'length') return <AskLonger {...here} />;
  return (
    <p class="actions">
      <Retry seconds={seconds} {...here} />
      {errorKind === 'model' && <AskAnother {...here} />}
    </p>
  );
}

/** Below an answer whose prompt was too long: models that take more. */
function AskLonger(here: Place) {
  const most = chatModels.value.find(({ id }) => id === here.message.model)?.context_window ?? Infinity;
  const longer = withLongerContext(most);
  const without = chatModels.value.filter((model) => !longer.includes(model)).map(({ id }) => id);
  return (
    <p class="actions">
      <AskAnother without={without} {...here} />
    </p>
  );
}

const askMs = 30_000;

/** From this wait on `Try again` is not offered. */
const longWaitSeconds = 3600;

/** Below an answer that a limit refused: a model that is not used up, and no button that would be refused again. */
function AfterRefusal(here: Place) {
  const limits = useUser<LimitList>('limits', askMs);
  const seconds = useSecondsLeft(here.message);
  const { budgets = [], data = [] } = limits.value ?? {};
  const isOver = budgets.some(isUsedUp);
  const isBudget = momentIn.test(here.message.error ?? '');
  // A budget may be filled before its time.
  const wait = isBudget && limits.value !== undefined && !isOver ? 0 : seconds;
  const isSoon = wait < longWaitSeconds;
  const usedUp = modelsUsedUp(data);
  return (
    <p class="actions">
      {!isOver && isSoon && <Retry seconds={wait} {...here} />}
      {isOver && isBudget && <span>{t.chat.againThen}</span>}
      {!isOver && usedUp.includes(here.message.model ?? '') && <AskAnother without={usedUp} {...here} />}
      {!isSoon && !isBudget && <span>{t.chat.retryIn(toSpan(seconds))}</span>}
      <a class="button" href="#/limits">
        {t.chat.seeLimits}
      </a>
    </p>
  );
}

/** How long the server takes no such request. */
function useSecondsLeft({ retryAtMs = 0 }: Message): number {
  const nowMs = useNow(1000, retryAtMs > 0);
  return Math.max(0, Math.ceil((retryAtMs - nowMs) / 1000));
}

function Retry({ seconds, ...here }: Place & { readonly seconds: number }) {
  const waits = seconds > 0;
  return (
    <>
      {waits && <span role="timer">{t.chat.retryIn(toSpan(seconds))}</span>}
      {!waits && <GoOn {...here} />}
      <AskAgain isDisabled={waits} text={t.shell.tryAgain} {...here} />
    </>
  );
}

/** JSON that must fit a schema cannot be continued: the server would begin it anew. */
function GoOn({ message, conversationId }: Place) {
  const isJson = findConversation(conversationId)?.settings.schema !== undefined;
  if (message.content === '' || message.toolCalls !== undefined || isJson) return null;
  return <Button text={t.chat.goOn} onClick={() => continueAnswer(conversationId, message)} />;
}

interface AgainProps extends Place {
  readonly text: string;
  readonly isDisabled?: boolean;
}

const AskAgain = ({ message, conversationId, text, isDisabled = false }: AgainProps) => (
  <Button text={text} disabled={isDisabled} onClick={() => answerAgain(conversationId, message)} />
);

interface AnotherProps extends Place {
  /** The models that cannot answer either. */
  readonly without?: readonly string[];
}

/** Nothing where no other model can answer. Of several columns each has its own model, which is chosen above. */
function AskAnother({ message, conversationId, without = [] }: AnotherProps) {
  const leftOut = [message.model ?? '', ...without];
  const canHelp = chatModels.value.some((model) => isWell(model) && !leftOut.includes(model.id));
  if (!canHelp || isOneOfSeveral(conversationId, message)) return null;
  return (
    <ModelPopover
      label={t.chat.answerWithAnother}
      button={t.chat.answerWithAnother}
      without={leftOut}
      onChoose={(model) => answerWith(conversationId, message, model)}
    />
  );
}
