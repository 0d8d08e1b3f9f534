import { createHash } from 'node:crypto';
import type { GenerationRequest } from '../../types.ts';

/** The beginning of a text prompt that tells it from others. */
const usedCharacters = 1024;

/**
 * A short text that is the same for all turns of one conversation: a hash of its messages up to the first one of the
 * user, or of the beginning of a text. Conversations of two accounts never share it, as they share no cache.
 */
export function conversationKey({ accountId, prompt }: GenerationRequest): string {
  const hash = createHash('sha1').update(accountId);
  if (prompt.kind === 'messages') {
    for (const { role, content } of prompt.messages) {
      hash.update(`\0${role}\0${content}`);
      if (role === 'user') break;
    }
  } else if (prompt.kind === 'text') hash.update(prompt.text.slice(0, usedCharacters));
  else hash.update(prompt.tokens.slice(0, usedCharacters).join());
  return hash.digest('base64');
}
