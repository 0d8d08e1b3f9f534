import { branchOf, newConversation, newId, type Conversation } from './conversation.ts';

/**
 * `now` with the messages `ids`, which were deleted from `before`, where they were. They have new ids: other tabs and
 * devices delete messages that come to them under the old ones.
 */
export function bringBack(now: Conversation, before: Conversation, ids: readonly string[]): Conversation {
  const here = new Map(now.messages.map((message) => [message.id, message]));
  const newIds = new Map(ids.filter((id) => !here.has(id)).map((id) => [id, newId()]));
  const idOf = (id: string) => newIds.get(id) ?? id;
  const old = before.messages.flatMap((message) => {
    const { id, parentId, twinId } = message;
    if (!newIds.has(id)) return here.get(id) ?? [];
    const links = {
      parentId: parentId && idOf(parentId),
      ...(twinId !== undefined && { twinId: idOf(twinId) }),
    };
    return { ...message, ...links, id: idOf(id) };
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

/** `title` with the first number from 2 that none of `others` has behind it. */
export function numbered(title: string, others: readonly Pick<Conversation, 'title'>[]): string {
  const plain = title.replace(/ \(\d+\)$/, '');
  let number = 2;
  const next = () => `${plain} (${number})`;
  while (others.some((other) => other.title === next())) number += 1;
  return next();
}

/** A conversation of its own with copies of the messages up to `id`. Ids of its own keep them apart from the originals. */
export function forkAt(conversation: Conversation, id: string, title: string): Conversation {
  const { settings, model, comparedModel } = conversation;
  let leafId: string | null = null;
  const messages = branchOf({ ...conversation, leafId: id }).map((message) => {
    const copy = { ...message, id: newId(), parentId: leafId };
    leafId = copy.id;
    return copy;
  });
  return {
    ...newConversation(settings),
    title,
    messages,
    leafId,
    model,
    comparedModel,
  };
}
