import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Begins signatures; the older mark stands in conversations that clients have kept. */
const [mark, olderMark] = ['hearth2', 'hearth1'];

/** The signature of a thought of this server; with `carriesText` it holds the thought too, for a block without it. */
export function signThought(text: string, key: Uint8Array, { carriesText = false } = {}): string {
  // A model writes whatever it is asked to write, and other things are signed with the key itself.
  const ownKey = new Uint8Array(hkdfSync('sha256', key, '', 'thought', 32));
  return signedWith(mark, ownKey, text, carriesText);
}

/** The thought of a block that a client sends back; undefined if it is signed as this server's and was changed. */
export function readThought(
  { thinking, signature }: { readonly thinking: string; readonly signature?: string | null | undefined },
  key: Uint8Array,
): string | undefined {
  const [begin, , packed] = signature?.split('.') ?? [];
  // Another server wrote it: its text is all that can be read.
  if (begin !== mark && begin !== olderMark) return thinking;
  const carriesText = packed !== undefined;
  const text = carriesText ? Buffer.from(packed, 'base64url').toString('utf8') : thinking;
  const expected = Buffer.from(
    begin === mark ? signThought(text, key, { carriesText }) : signedWith(olderMark, key, text, carriesText),
  );
  const given = Buffer.from(signature ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected) ? text : undefined;
}

function signedWith(begin: string, key: Uint8Array, text: string, carriesText: boolean): string {
  const proof = createHmac('sha256', key).update(text).digest('base64url');
  return [begin, proof, ...(carriesText ? [Buffer.from(text).toString('base64url')] : [])].join('.');
}
