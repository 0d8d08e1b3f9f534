import { Buffer } from 'node:buffer';

/** Marks a thought that this server packed, and the way it did. */
const prefix = 'hearth1.';

/**
 * A thought as `encrypted_content`, for clients that send back only this field. It is packed and not secret, because
 * the item's own text has the same thought.
 */
export function packThought(text: string): string {
  return prefix + Buffer.from(text, 'utf8').toString('base64url');
}

/** The thought in `content`; undefined if this server did not write it. */
export function unpackThought(content: string): string | undefined {
  if (!content.startsWith(prefix)) return undefined;
  return Buffer.from(content.slice(prefix.length), 'base64url').toString('utf8');
}
