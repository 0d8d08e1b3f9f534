import { openDB, type DBSchema } from 'idb';
import { newId, type Conversation, type Message } from './conversation.ts';

interface Schema extends DBSchema {
  files: { key: string; value: Blob };
}

/** Apart from the conversations, which are written whole with every change: a file never changes. */
const database = openDB<Schema>('hearth-files', 1, {
  upgrade(db) {
    db.createObjectStore('files');
  },
});

/** The id by which this browser keeps `content` from now on: it begins with the time. Rejects where there is no room for it. */
export async function keepFile(content: Blob): Promise<string> {
  const id = `${Date.now()} ${newId()}`;
  await (await database).put('files', content, id);
  return id;
}

/** The kept file of this id; undefined: it is there no more. */
export async function findFile(id: string): Promise<Blob | undefined> {
  return await (await database).get('files', id);
}

export async function removeFile(id: string): Promise<void> {
  await (await database).delete('files', id);
}

const forgottenAfterMs = 7 * 24 * 3_600_000;

/**
 * Deletes the files that were kept a week ago and are in none of `messages`: their message was deleted, or was never sent.
 * Another tab may still write one that is younger.
 */
export async function removeForgottenFiles(messages: readonly WithFiles[]): Promise<void> {
  const db = await database;
  const needed = new Set(messages.flatMap(fileIdsOf));
  for (const id of await db.getAllKeys('files')) {
    const keptAtMs = Number(id.split(' ', 1)[0]);
    if (Date.now() - keptAtMs > forgottenAfterMs && !needed.has(id)) await db.delete('files', id);
  }
}

/**
 * Deletes the files of a conversation that is deleted, save for those that one of `others` has too. The function keeps them
 * again.
 */
export async function removeFilesOf(
  removed: Conversation,
  others: readonly Conversation[],
): Promise<() => Promise<void>> {
  const db = await database;
  const needed = new Set(others.flatMap(({ messages }) => messages.flatMap(fileIdsOf)));
  const ids = removed.messages.flatMap(fileIdsOf).filter((id) => !needed.has(id));
  const files = await Promise.all(ids.map(findFile));
  for (const id of ids) await db.delete('files', id);
  return async () => {
    for (const [at, file] of files.entries()) if (file !== undefined) await db.put('files', file, ids[at]);
  };
}

type WithFiles = Pick<Message, 'attachments'>;

const fileIdsOf = ({ attachments = [] }: WithFiles): string[] =>
  attachments.flatMap((attachment) => (attachment.kind === 'text' ? [] : attachment.fileId));

/** `content` as base64. */
export async function toBase64(content: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.addEventListener('load', () => resolve(reader.result as string));
  reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')));
  reader.readAsDataURL(content);
  const dataUrl = await promise;
  return dataUrl.slice(dataUrl.indexOf(',') + 1);
}

/** The file that `base64` stands for; undefined: it is no base64. */
export function fromBase64(base64: string, type: string): Blob | undefined {
  try {
    return new Blob([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], { type });
  } catch {
    return undefined;
  }
}
