import type { LimitList } from '../../../api/types.ts';
import { toAllowed, toRest } from '../../../limits/amounts.ts';
import { bySpent, nameOfBudget } from '../../../limits/budget-fields.tsx';
import { t } from '../../../words/operator-texts.ts';
import { usePolled } from '../../../state/polled.ts';
import { userJson } from '../../../state/session.ts';
import type { Conversation } from '../../conversations/conversation.ts';
import { toMoment } from '../../../words/times.ts';
import { joined } from '../../../words/formats.ts';

/** A budget of which no more than this share is left is told; one of requests, too, where no more than 3 are. */
const littleShare = 0.1;
const fewRequests = 3;

interface Props {
  readonly conversation: Conversation;
  readonly isAnswering: boolean;
}

/** Tells before the next question that a budget is nearly spent, or that one is, and when it resets. */
export function RestNote({ conversation: { messages, leafId }, isAnswering }: Props) {
  const { value } = usePolled(
    async (signal) => (isAnswering ? undefined : await userJson<LimitList>('limits', { signal })),
    [isAnswering],
  );
  const [least] = (value?.budgets ?? []).filter(isLittle).toSorted(bySpent);
  // A refusal at the end of the chat says so itself.
  const isRefused = messages.find(({ id }) => id === leafId)?.errorKind === 'limit';
  if (least === undefined || isRefused) return null;
  const { left, limit, resets_at: resetsAt } = least;
  return (
    <p class="note" role="status">
      {joined(
        t.keys.restLeft(toRest(Math.max(0, left)), toAllowed(limit), nameOfBudget(least)),
        resetsAt !== null && t.budgets.resets(toMoment(new Date(resetsAt * 1000))),
      )}{' '}
      <a href="#/limits">{t.keys.myLimits}</a>
    </p>
  );
}

function isLittle({ measure, left, limit }: LimitList['budgets'][number]): boolean {
  if (measure === 'audio_seconds' || left >= limit) return false;
  return left <= littleShare * limit || (measure === 'requests' && left <= fewRequests);
}
