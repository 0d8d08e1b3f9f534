import type { Conversation } from '../conversation.ts';

/** A text in three parts, the middle of which was searched for. */
export interface Hit {
  readonly before: string;
  readonly found: string;
  readonly after: string;
}

/** Where a chat has the sought words. */
export interface Match extends Hit {
  readonly messageId: string;
}

/** In characters, before and after the found words. */
const aroundChars = 40;

/** Text without the signs of Markdown: of the line below the titles of a table, whole or cut off, nothing is left. */
const plain = (text: string) =>
  text
    .replaceAll(/(?<!\S)[|:-]{2,}(?!\S)/g, '')
    .replaceAll('|', ' ')
    .replaceAll(/[*_`#>]+/g, '');

/** The first place in `text` that has `query`, in small letters; undefined: there is none. */
export function hitIn(text: string, query: string): Hit | undefined {
  const at = text.toLowerCase().indexOf(query);
  const end = at + query.length;
  return at < 0
    ? undefined
    : { before: text.slice(0, at), found: text.slice(at, end), after: text.slice(end) };
}

/** Where `conversation` has `query`, in small letters; true: in its title, or nothing is searched for; undefined: nowhere. */
export function search({ title, messages }: Conversation, query: string): Match | true | undefined {
  if (query === '' || title.toLowerCase().includes(query)) return true;
  for (const { id, content } of messages) {
    const hit = hitIn(content, query);
    if (hit === undefined) continue;
    const before = hit.before.slice(-aroundChars);
    const after = hit.after.slice(0, aroundChars);
    return {
      messageId: id,
      before: before === hit.before ? plain(before) : `…${plain(before.replace(/^\S*\s+/, '')).trimStart()}`,
      found: hit.found,
      after: after === hit.after ? plain(after) : `${plain(after.replace(/\s+\S*$/, '')).trimEnd()}…`,
    };
  }
  return undefined;
}
