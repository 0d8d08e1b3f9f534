import { signal } from '@preact/signals';
import { openDB, type DBSchema } from 'idb';
import { nextTask } from '../../state/next-task.ts';
import type { Conversation } from './conversation.ts';
import { removeFilesOf } from './files.ts';

interface Schema extends DBSchema {
  conversations: { key: string; value: Conversation };
}

const database = openDB<Schema>('hearth', 1, {
  upgrade(db) {
    db.createObjectStore('conversations', { keyPath: 'id' });
  },
});

/** All conversations of this browser, the newest first. They are small enough to be held together. */
export const conversations = signal<readonly Conversation[]>([]);

/** Other tabs read a conversation again when it was changed here. */
const otherTabs = new BroadcastChannel('hearth-conversations');
otherTabs.addEventListener('message', () => void loadConversations());

const byAge = (a: Conversation, b: Conversation) => b.updatedAtMs - a.updatedAtMs;

export async function loadConversations(): Promise<void> {
  conversations.value = (await (await database).getAll('conversations')).sort(byAge);
}

export const findConversation = (id: string): Conversation | undefined =>
  conversations.value.find((conversation) => conversation.id === id);

/** Stores a conversation in place of the one with its id. */
export function putConversation(conversation: Conversation): void {
  const others = conversations.value.filter(({ id }) => id !== conversation.id);
  conversations.value = [conversation, ...others].sort(byAge);
  void keep(conversation);
}

/** Copying a long conversation takes a while, so what changed on the screen is painted first. */
async function keep(conversation: Conversation): Promise<void> {
  const db = await database;
  await nextTask();
  await db.put('conversations', conversation);
  otherTabs.postMessage(conversation.id);
}

/** Stores the conversation of that id as `change` makes it; nothing happens if it was deleted meanwhile. */
export function changeConversation(id: string, change: (old: Conversation) => Conversation): void {
  const old = findConversation(id);
  if (old !== undefined) putConversation(change(old));
}

/** Deletes a conversation with its files, if it is there. */
export function removeConversation(id: string): void {
  const removed = findConversation(id);
  if (removed === undefined) return;
  conversations.value = conversations.value.filter((conversation) => conversation.id !== id);
  void database.then(async (db) => {
    await db.delete('conversations', id);
    await removeFilesOf(removed);
    otherTabs.postMessage(id);
  });
}
