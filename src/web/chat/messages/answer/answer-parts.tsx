import type { VNode } from 'preact';
import { Prose } from '../../../ui/prose/prose.tsx';
import type { Message } from '../../conversations/conversation.ts';
import { partsOf, wantedCalls, type Part, type ServerCall } from '../../conversations/parts.ts';
import { CallStep, FunctionStep, Thought, WantedStep } from './steps.tsx';
import { useEffect } from 'preact/hooks';
import { isServerAway } from '../../../api/connection.ts';
import { unsentIds } from '../../answers/answer.ts';
import { loadModels, models } from '../../../state/models.ts';
import { useSeconds } from '../../../state/polled.ts';
import { t } from '../../../words/texts.ts';
import { Bar } from '../../../ui/controls.tsx';
import { lazyPart } from '../../../ui/rendering/lazy-part.tsx';
import { toSpan } from '../../../words/span.ts';
import { joined, toCount } from '../../../words/formats.ts';

const Permission = lazyPart(async () => (await import('./calls/permission.tsx')).Permission);
const PendingCalls = lazyPart(async () => (await import('./calls/pending-calls.tsx')).PendingCalls);

interface Props {
  readonly message: Message;
  /** The person's answers to the calls that it wants. */
  readonly answers: readonly Message[];
  /** The message before it, whose calls it goes on with, and the answers to these. */
  readonly asked?: Message | undefined;
  readonly said?: readonly Message[];
  readonly isContinued: boolean;
  readonly growing: boolean;
  /** Where its calls are answered; undefined: nothing is to be done about them here. */
  readonly conversationId: string | undefined;
}

/** The texts of an answer and its acts between them, in order: thoughts and calls stand together in a card. */
export function AnswerParts(props: Props) {
  const { message, answers, asked, said = [], isContinued, growing, conversationId } = props;
  const { toolCalls = [], reasoning } = message;
  const shown: VNode[] = [];
  let steps: VNode[] = [];
  const endCard = (footer?: VNode) => {
    if (steps.length > 0 || footer !== undefined)
      shown.push(
        <div key={shown.length} class="steps">
          {steps}
          {footer}
        </div>,
      );
    steps = [];
  };
  const isAsked = conversationId !== undefined && answers.length === 0 && !growing;
  const answerTo = (id: string) => [...answers, ...said].find(({ toolCallId }) => toolCallId === id);
  if (reasoning !== undefined) steps.push(<Thought key="thought" message={message} growing={growing} />);
  const own = partsOf(message);
  const parts = asked === undefined ? own : inAskedOrder(own, asked, said, growing);
  for (const [index, part] of parts.entries()) {
    if ('text' in part) {
      if (part.text.trim() === '') continue;
      endCard();
      const isGrowing = growing && index === parts.length - 1;
      shown.push(<Prose key={`text ${index}`} text={part.text} growing={isGrowing} />);
    } else if (part.item.type === 'mcp_call') steps.push(toCallStep(part.item, props));
    else if (part.item.type === 'mcp_approval_request') {
      const approves = answerTo(part.item.id)?.approves;
      if (own.includes(part) && (isAsked || (approves !== undefined && isContinued))) continue;
      const isOpen = growing && approves === undefined;
      steps.push(
        <WantedStep key={part.item.id} wanted={part.item} {...{ approves, isAsked: isOpen, growing }} />,
      );
    }
  }
  for (const call of toolCalls)
    steps.push(<FunctionStep key={call.id} call={call} result={answerTo(call.id)} />);
  if (isAsked && toolCalls.length > 0)
    endCard(<PendingCalls key="results" message={message} conversationId={conversationId} />);
  else if (isAsked && wantedCalls(message).length > 0)
    endCard(<Permission key="permission" message={message} conversationId={conversationId} />);
  else endCard();
  return (
    <>
      {shown}
      {growing && own.length === 0 && reasoning === undefined && <Waiting message={message} />}
    </>
  );
}

const toCallStep = (call: ServerCall, { growing, message }: Props) => (
  <CallStep key={call.id} call={call} growing={growing} isStopped={message.finish === 'stopped'} />
);

/**
 * The parts of an answer with the calls before it that were refused or, while it is growing, are still to be made, all in
 * the order in which they were asked for.
 */
function inAskedOrder(
  own: readonly Part[],
  asked: Message,
  said: readonly Message[],
  growing: boolean,
): readonly Part[] {
  const calls = wantedCalls(asked).flatMap((item): Part | [] => {
    const isRefused = said.some(({ toolCallId, approves }) => toolCallId === item.id && approves === false);
    const isMade = (part: Part) =>
      'item' in part && part.item.type === 'mcp_call' && part.item.approval_request_id === item.id;
    return isRefused ? { item } : (own.find(isMade) ?? (growing ? { item } : []));
  });
  return [...calls, ...own.filter((part) => !calls.includes(part))];
}

/** As often as this the server is asked whether the model is in memory by now. */
const askMs = 1500;

/** An answer before its first word: that its model is loaded, that others come first, how far its prompt is. */
function Waiting({ message: { id: messageId, model = '', progress } }: { message: Message }) {
  const seconds = useSeconds();
  useEffect(() => {
    const timer = setInterval(() => void loadModels().catch(() => undefined), askMs);
    return () => clearInterval(timer);
  }, []);
  if (isServerAway.value)
    return <p class="waiting note">{unsentIds.has(messageId) ? t.chat.unsent : t.chat.goesOnLater}</p>;
  if (progress !== undefined && progress.processed < progress.total) {
    const { processed, total, leftMs } = progress;
    const figures = joined(
      t.chat.ofTokens(toCount(processed), toCount(total)),
      leftMs > 0 && t.chat.left(toSpan(Math.ceil(leftMs / 1000))),
    );
    return <Bar label={t.chat.readsPrompt} value={processed} max={total} text={figures} />;
  }
  const { state, runs_elsewhere: isElsewhere } = models.value?.find(({ id }) => id === model) ?? {};
  const isLoading = state === 'available';
  // Other servers do not tell when they begin.
  const waitsForTurn = state === 'loaded' && !isElsewhere && progress === undefined && seconds > 0;
  return (
    <p class="waiting note">
      <span class="pulse">
        {isLoading ? t.chat.loadsModel(model) : waitsForTurn ? t.chat.waitsForTurn : t.chat.waiting}
      </span>{' '}
      {seconds > 2 && <span class="figures">{t.chat.seconds(seconds)}</span>}
    </p>
  );
}
