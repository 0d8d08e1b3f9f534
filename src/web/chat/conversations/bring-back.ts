import { newId, type Conversation } from './conversation.ts';

/**
 * `now` with the messages `ids`, which were deleted from `before`, where they were. They have new ids: other tabs and
 * devices delete what comes to them under the old ones.
 */
export function bringBack(now: Conversation, before: Conversation, ids: readonly string[]): Conversation {
  const here = new Map(now.messages.map((message) => [message.id, message]));
  const newIds = new Map(ids.filter((id) => !here.has(id)).map((id) => [id, newId()]));
  const idOf = (id: string) => newIds.get(id) ?? id;
  const old = before.messages.flatMap((message) => {
    const { id, parentId } = message;
    const isGone = newIds.has(id);
    return isGone ? { ...message, id: idOf(id), parentId: parentId && idOf(parentId) } : (here.get(id) ?? []);
  });
  const known = new Set(before.messages.map(({ id }) => id));
  const added = now.messages.filter(({ id }) => !known.has(id));
  // Who has written on meanwhile goes on there.
  const isWrittenOn = added.some(({ id }) => id === now.leafId);
  return {
    ...now,
    updatedAtMs: Date.now(),
    messages: [...old, ...added],
    leafId: isWrittenOn ? now.leafId : before.leafId && idOf(before.leafId),
    comparedId: now.comparedId && idOf(now.comparedId),
  };
}
