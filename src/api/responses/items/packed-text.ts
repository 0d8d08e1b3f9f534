import { Buffer } from 'node:buffer';

/** Marks a text that this server packed, its kind, and the way it was packed. */
const prefixes = { thought: 'hearth1.', summary: 'hearth-summary1.' } as const;

type PackedKind = keyof typeof prefixes;

/** A text as `encrypted_content`, for clients that send back only that: packed and not secret, they have it. */
export function packText(kind: PackedKind, text: string): string {
  return prefixes[kind] + Buffer.from(text, 'utf8').toString('base64url');
}

/** The text in `content`; undefined if this server did not write it as a text of that kind. */
export function unpackText(kind: PackedKind, content: string): string | undefined {
  const prefix = prefixes[kind];
  if (!content.startsWith(prefix)) return undefined;
  return Buffer.from(content.slice(prefix.length), 'base64url').toString('utf8');
}
