import { createHmac, timingSafeEqual } from 'node:crypto';

const mark = 'hearth1';

/** The signature of a thought of this server; with `carriesText` it holds the thought too, for a block without it. */
export function signThought(text: string, key: Uint8Array, { carriesText = false } = {}): string {
  const proof = createHmac('sha256', key).update(text).digest('base64url');
  return [mark, proof, ...(carriesText ? [Buffer.from(text).toString('base64url')] : [])].join('.');
}

/** The thought of a block that a client sends back; undefined if it is signed as this server's and was changed. */
export function readThought(
  { thinking, signature }: { readonly thinking: string; readonly signature?: string | null | undefined },
  key: Uint8Array,
): string | undefined {
  // Another server wrote it: its text is all that can be read.
  if (!signature?.startsWith(`${mark}.`)) return thinking;
  const packed = signature.split('.')[2];
  const carriesText = packed !== undefined;
  const text = carriesText ? Buffer.from(packed, 'base64url').toString('utf8') : thinking;
  const expected = Buffer.from(signThought(text, key, { carriesText }));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected) ? text : undefined;
}
