import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../../words/dialog-texts.ts';
import { Button } from '../../../../ui/controls.tsx';
import { answerCalls, type Decision } from '../../../call-actions.ts';
import type { Message } from '../../../conversations/conversation.ts';
import { toolOf, wantedCalls } from '../../../conversations/parts.ts';
import { findConversation } from '../../../conversations/store.ts';
import { WantedStep } from '../steps.tsx';
import './permission.css';

interface Props {
  readonly message: Message;
  readonly conversationId: string;
}

/**
 * Asks whether the model may make the calls that it wants to make: all of them at once, or one by one. The answers are
 * told when all are given. A tool that is allowed in the whole chat is not asked for again.
 */
export function Permission({ message, conversationId }: Props) {
  const calls = wantedCalls(message);
  const allowed = findConversation(conversationId)?.settings.allowed ?? [];
  const [said, setSaid] = useState<readonly (Decision | undefined)[]>(() =>
    calls.map((call) => (allowed.includes(toolOf(call)) ? 'allow' : undefined)),
  );
  const isDecided = said.every((one) => one !== undefined);
  useEffect(() => {
    if (isDecided) answerCalls(conversationId, message, said);
  }, [isDecided]);
  if (isDecided) return null;
  const isOnly = calls.length === 1;
  const decideRest = (decision: Decision) => () => setSaid(said.map((one) => one ?? decision));
  return (
    <>
      <p class="may-call">{t.servers.mayCall(calls.length)}</p>
      {calls.map((wanted, index) => (
        <div
          key={wanted.id}
          class="asked"
          role="group"
          aria-label={t.servers.call(wanted.name, wanted.server_label)}
        >
          <WantedStep
            wanted={wanted}
            approves={said[index] && said[index] !== 'refuse'}
            isAsked={said[index] === undefined}
          />
          {!isOnly && said[index] === undefined && (
            <>
              <Button
                class="quiet"
                text={t.servers.allow}
                onClick={() => setSaid(said.with(index, 'allow'))}
              />
              <Button
                class="quiet"
                text={t.servers.refuse}
                onClick={() => setSaid(said.with(index, 'refuse'))}
              />
            </>
          )}
        </div>
      ))}
      <div class="actions">
        <Button
          class="primary"
          text={isOnly ? t.servers.allow : t.servers.allowAll}
          onClick={decideRest('allow')}
        />
        <Button text={t.servers.allowAlways} onClick={decideRest('always')} />
        <Button
          class="quiet"
          text={isOnly ? t.servers.refuse : t.servers.refuseAll}
          onClick={decideRest('refuse')}
        />
      </div>
    </>
  );
}
