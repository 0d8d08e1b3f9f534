import type { Conversation } from '../conversation.ts';

/** Where a chat has what was searched for. */
export interface Match {
  readonly messageId: string;
  readonly before: string;
  readonly found: string;
  readonly after: string;
}

/** In characters, before and after what was found. */
const aroundChars = 40;

/** Text without the signs of Markdown, and without the line below the titles of a table. */
const plain = (text: string) =>
  text.replaceAll(/[*_`#>|]+/g, '').replaceAll(/(?<!\S)(?::?-{2,}:?|:-:?|-:)(?!\S)/g, '');

/** Where `conversation` has `query`, in small letters; true: in its title, or nothing is searched for; undefined: nowhere. */
export function search({ title, messages }: Conversation, query: string): Match | true | undefined {
  if (query === '' || title.toLowerCase().includes(query)) return true;
  for (const { id, content } of messages) {
    const at = content.toLowerCase().indexOf(query);
    if (at < 0) continue;
    const end = at + query.length;
    const before = content.slice(Math.max(0, at - aroundChars), at);
    const after = content.slice(end, end + aroundChars);
    return {
      messageId: id,
      before: plain(at > aroundChars ? before.replace(/^\S*\s+/, '…') : before),
      found: content.slice(at, end),
      after: plain(content.length > end + aroundChars ? after.replace(/\s+\S*$/, '…') : after),
    };
  }
  return undefined;
}
