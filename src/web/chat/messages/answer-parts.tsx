import type { VNode } from 'preact';
import { Prose } from '../../ui/prose/prose.tsx';
import type { Message } from '../conversations/conversation.ts';
import { partsOf, wantedCalls } from '../conversations/parts.ts';
import { CallStep, FunctionStep, PendingCalls, Permission, Thought, WantedStep } from './steps.tsx';
import { Waiting } from './waiting.tsx';

interface Props {
  readonly message: Message;
  /** What was said to the calls that it wants. */
  readonly answers: readonly Message[];
  readonly isContinued: boolean;
  readonly growing: boolean;
  /** Where its calls are answered; undefined: nothing is to be done about them here. */
  readonly conversationId: string | undefined;
}

/** The texts of an answer and what it did between them, in order: thoughts and calls stand together in a card. */
export function AnswerParts({ message, answers, isContinued, growing, conversationId }: Props) {
  const { toolCalls = [], reasoning } = message;
  const shown: VNode[] = [];
  let steps: VNode[] = [];
  const endCard = (footer?: VNode) => {
    if (steps.length > 0)
      shown.push(
        <div key={shown.length} class="steps">
          {steps}
          {footer}
        </div>,
      );
    steps = [];
  };
  const answerTo = (id: string) => answers.find(({ toolCallId }) => toolCallId === id);
  if (reasoning !== undefined) steps.push(<Thought key="thought" message={message} growing={growing} />);
  const parts = partsOf(message);
  for (const [index, part] of parts.entries()) {
    if ('text' in part) {
      if (part.text.trim() === '') continue;
      endCard();
      const isGrowing = growing && index === parts.length - 1;
      shown.push(<Prose key={`text ${index}`} text={part.text} growing={isGrowing} />);
    } else if (part.item.type === 'mcp_call')
      steps.push(<CallStep key={part.item.id} call={part.item} growing={growing} />);
    else if (part.item.type === 'mcp_approval_request') {
      const answer = answerTo(part.item.id);
      if (answer?.approves === true && isContinued) continue;
      steps.push(
        <WantedStep key={part.item.id} wanted={part.item} answer={answer} isContinued={isContinued} />,
      );
    }
  }
  for (const call of toolCalls)
    steps.push(<FunctionStep key={call.id} call={call} result={answerTo(call.id)} />);
  const isAsked = conversationId !== undefined && answers.length === 0;
  if (isAsked && toolCalls.length > 0)
    endCard(<PendingCalls key="results" message={message} conversationId={conversationId} />);
  else if (isAsked && wantedCalls(message).length > 0)
    endCard(<Permission key="permission" message={message} conversationId={conversationId} />);
  else endCard();
  return shown.length === 0 && growing ? <Waiting model={message.model} /> : <>{shown}</>;
}
