import { computed, effect, signal } from '@preact/signals';
import { openDB, type DBSchema } from 'idb';
import { parsed } from '../../state/stored.ts';
import { afterMs } from '../../state/after-ms.ts';
import { branchOf, merge, newId, type Conversation } from './conversation.ts';
import { removeFilesOf } from './files.ts';

interface Schema extends DBSchema {
  conversations: { key: string; value: Conversation };
}

const database = openDB<Schema>('hearth', 1, {
  upgrade(db) {
    db.createObjectStore('conversations', { keyPath: 'id' });
  },
});

/** All conversations of this browser, the newest first; undefined before they were read. Small enough to be held together. */
const stored = signal<readonly Conversation[] | undefined>(undefined);

export const conversations = computed(() => stored.value ?? []);
export const areLoaded = computed(() => stored.value !== undefined);

/** Whether the browser refused to keep a chat on the screen. */
export const isStorageFull = signal(false);

/** Conversations that could not be saved yet, by id, as they are on the screen. */
const unkept = new Map<string, Conversation>();

/** Other tabs read a conversation again when it was changed here. */
const otherTabs = new BroadcastChannel('hearth-conversations');
otherTabs.addEventListener('message', ({ data }: MessageEvent<string>) => void readAgain(data));

const byAge = (a: Conversation, b: Conversation) => b.updatedAtMs - a.updatedAtMs;

export async function loadConversations(): Promise<void> {
  const read = await (await database).getAll('conversations');
  const others = read.filter(({ id }) => !unkept.has(id));
  stored.value = [...others, ...unkept.values()].sort(byAge);
  for (const conversation of takeLeftBehind()) putConversation(conversation);
}

addEventListener('pagehide', () => {
  for (const conversation of unkept.values()) leaveBehind(conversation);
});

export const findConversation = (id: string): Conversation | undefined =>
  conversations.value.find((conversation) => conversation.id === id);

/** Stores a conversation in place of the one with its id. */
export function putConversation(conversation: Conversation): void {
  show(conversation);
  unkept.set(conversation.id, conversation);
  void keep(conversation);
}

function show(conversation: Conversation): void {
  const others = conversations.value.filter(({ id }) => id !== conversation.id);
  stored.value = [conversation, ...others].sort(byAge);
}

/**
 * Copying a long conversation takes a while, so changes on the screen are painted first. Messages that another tab
 * added meanwhile stay.
 */
async function keep(conversation: Conversation): Promise<void> {
  const { id } = conversation;
  const db = await database;
  await afterMs();
  // A later change keeps this one too.
  if (unkept.get(id) !== conversation) return;
  try {
    const transaction = db.transaction('conversations', 'readwrite');
    const old = await transaction.store.get(id);
    const whole = old === undefined ? conversation : merge(conversation, old);
    await Promise.all([transaction.store.put(whole), transaction.done]);
    if (unkept.get(id) === conversation) {
      unkept.delete(id);
      if (whole.messages.length !== conversation.messages.length) show(whole);
    }
    isStorageFull.value = unkept.size > 0 && isStorageFull.value;
    otherTabs.postMessage(id);
  } catch {
    isStorageFull.value = true;
  }
}

/** Tries again to keep chats that the browser had no room for. */
function keepUnkept(): void {
  for (const conversation of unkept.values()) void keep(conversation);
}

const keepAgainMs = 5000;

// Room may come back in other ways than by deleting chats here.
effect(() => {
  if (!isStorageFull.value) return;
  const timer = setInterval(keepUnkept, keepAgainMs);
  return () => clearInterval(timer);
});

/** Takes over another tab's changes of a conversation, without turning to another branch in the middle of this one. */
async function readAgain(id: string): Promise<void> {
  const theirs = await (await database).get('conversations', id);
  const mine = findConversation(id);
  if (theirs === undefined) {
    if (!unkept.has(id)) stored.value = conversations.value.filter((other) => other.id !== id);
  } else if (mine === undefined) show(theirs);
  else {
    const follows = branchOf(theirs).some((message) => message.id === mine.leafId) || mine.leafId === null;
    show(merge({ ...theirs, leafId: follows ? theirs.leafId : mine.leafId }, mine));
  }
}

/** Stores the conversation of that id as `change` makes it; nothing happens if it was deleted meanwhile. */
export function changeConversation(id: string, change: (old: Conversation) => Conversation): void {
  const old = findConversation(id);
  if (old !== undefined) putConversation(change(old));
}

/**
 * Deletes conversations with their files, if they are there. The function brings them back under new ids, which it
 * gives back: other devices delete chats that come to them under the old ones.
 */
export async function removeConversations(ids: readonly string[]): Promise<() => Promise<readonly string[]>> {
  const removed = conversations.value.filter(({ id }) => ids.includes(id));
  for (const id of ids) {
    unkept.delete(id);
    removeLeftBehind(id);
  }
  const db = await database;
  const transaction = db.transaction('conversations', 'readwrite');
  await Promise.all([...ids.map((id) => transaction.store.delete(id)), transaction.done]);
  // They are gone from the screen when they are gone for good: the tab may be closed the moment after.
  stored.value = conversations.value.filter(({ id }) => !ids.includes(id));
  const keepFiles: (() => Promise<void>)[] = [];
  for (const conversation of removed) {
    keepFiles.push(await removeFilesOf(conversation, conversations.value));
    otherTabs.postMessage(conversation.id);
  }
  keepUnkept();
  return async () => {
    for (const keepAgain of keepFiles) await keepAgain();
    return removed.map((conversation) => {
      const id = newId();
      putConversation({ ...conversation, id });
      return id;
    });
  };
}

/** Before the id of each conversation that a closed page left in the browser's simple storage. */
const leftBehindPrefix = 'hearth-left-behind-';

/**
 * Keeps a chat that a page, closed or loaded again, had no time to put into the database, for the next page. The simple
 * storage is written at once; a database's transaction ends with its page.
 */
function leaveBehind(conversation: Conversation): void {
  try {
    localStorage.setItem(leftBehindPrefix + conversation.id, JSON.stringify(conversation));
  } catch {
    // It holds about 5 MB; the database has all but the last change.
  }
}

const removeLeftBehind = (id: string): void => localStorage.removeItem(leftBehindPrefix + id);

/** Takes the chats that pages left behind, each joined with the database's version of it. */
function takeLeftBehind(): Conversation[] {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(leftBehindPrefix));
  return names.flatMap((name) => {
    const text = localStorage.getItem(name);
    localStorage.removeItem(name);
    const left = parsed<Conversation | undefined>(text, undefined);
    const theirs = conversations.value.find(({ id }) => id === left?.id);
    if (left === undefined || theirs === undefined) return left ?? [];
    return left.updatedAtMs < theirs.updatedAtMs ? merge(theirs, left) : merge(left, theirs);
  });
}
