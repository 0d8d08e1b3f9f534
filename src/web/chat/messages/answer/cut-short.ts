import type { Message } from '../../conversations/conversation.ts';

/** Whether it ended before its end, and did not fail. */
export const isCutShort = ({ finish }: Message): boolean =>
  finish === 'length' || finish === 'stopped' || finish === 'lost';

/** Whether its ending has a button that asks for the answer again: a prompt that is too long stays so. */
export const offersAgain = (message: Message): boolean =>
  (message.error !== undefined && message.errorKind !== 'length') ||
  (message.content === '' && isCutShort(message));
