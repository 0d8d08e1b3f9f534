import { Problem } from '../../../ui/controls.tsx';
import { lazyPart } from '../../../ui/rendering/lazy-part.tsx';
import type { Message } from '../../conversations/conversation.ts';
import { isCutShort } from './cut-short.ts';

const WaysOn = lazyPart(async () => (await import('./ways-on.tsx')).WaysOn);

interface Props {
  readonly message: Message;
  /** undefined: it is not the last message, so nothing goes on from it. */
  readonly conversationId: string | undefined;
}

/** Why an answer ended before its end, and how to go on. */
export const Ending = ({ message, conversationId }: Props) => (
  <>
    {/* Of a limit it is told there, with the time in it. */}
    {message.errorKind !== 'limit' && <Problem text={message.error} />}
    {(message.error !== undefined || isCutShort(message)) && (
      <WaysOn message={message} conversationId={conversationId} />
    )}
  </>
);
