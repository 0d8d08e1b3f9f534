import { Buffer } from 'node:buffer';

/** Says who wrote it, and how. */
const prefix = 'hearth1.';

/**
 * A thought as `encrypted_content`, for clients that send it back and look at nothing else. It is packed and not
 * secret: the same thought is in the item's own text.
 */
export function packThought(text: string): string {
  return prefix + Buffer.from(text, 'utf8').toString('base64url');
}

/** The thought in `content`; undefined where this server did not write it. */
export function unpackThought(content: string): string | undefined {
  if (!content.startsWith(prefix)) return undefined;
  return Buffer.from(content.slice(prefix.length), 'base64url').toString('utf8');
}
