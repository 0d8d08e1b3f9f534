import { toContent } from '../../engine/upstream/wire/generation/message-parts.ts';
import type { ChatMessage } from '../../engine/types.ts';

/** A message as the server and files have it, with its pictures as parts. */
export const toWireMessage = ({ role, ...message }: ChatMessage) => ({
  role,
  content: toContent({ role, ...message }),
});
