import { merge, type Conversation } from './conversation.ts';

/** Before the id of each conversation that a closed page left in the browser's simple storage. */
const prefix = 'hearth-left-behind-';

/**
 * Keeps what a page that is closed or loaded again had no time to put into the database, for the next page. The simple
 * storage is written at once; a database's transaction ends with its page.
 */
export function leaveBehind(conversation: Conversation): void {
  try {
    localStorage.setItem(prefix + conversation.id, JSON.stringify(conversation));
  } catch {
    // It holds about 5 MB; the database has all but the last change.
  }
}

export const removeLeftBehind = (id: string): void => localStorage.removeItem(prefix + id);

/** Takes what pages left behind, each with what the database, which has `stored`, knows of it. */
export function takeLeftBehind(stored: readonly Conversation[]): Conversation[] {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(prefix));
  return names.flatMap((name) => {
    const text = localStorage.getItem(name);
    localStorage.removeItem(name);
    const left = parse(text);
    const theirs = stored.find(({ id }) => id === left?.id);
    if (left === undefined || theirs === undefined) return left ?? [];
    return left.updatedAtMs < theirs.updatedAtMs ? merge(theirs, left) : merge(left, theirs);
  });
}

function parse(text: string | null): Conversation | undefined {
  try {
    return JSON.parse(text ?? '') as Conversation;
  } catch {
    return undefined;
  }
}
