import { effect, signal } from '@preact/signals';
import { asUser, userJson } from '../../state/session.ts';
import { messageOf } from '../../state/polled.ts';
import type { ListOf } from '../../api/types.ts';
import { newConversation, merge, type Conversation } from './conversation.ts';
import { readAttachments, withContents } from './transfer/transfer.ts';
import { areLoaded, conversations, findConversation, putConversation, removeConversations } from './store.ts';
import { isKept, knownStamps } from '../../state/kept-on-server.ts';

/** Why the last comparison with the server failed. */
export const copyProblem = signal<string | undefined>(undefined);

const purpose = 'hearth-chat';
const goneStamp = 'gone';
/** A device that was away for longer brings back chats that were deleted elsewhere. */
const goneSeconds = 2_592_000;

interface ServerFile {
  readonly id: string;
  readonly filename: string;
}

/** A version of a chat at the server. */
interface Copy {
  readonly fileId: string;
  readonly chatId: string;
  readonly stamp: string;
}

/** Tells two states of a chat apart: its time, and the fields that change without it. */
function stampOf({ updatedAtMs, title, isPinned = false, model = '', settings }: Conversation): string {
  let hash = 0;
  for (const char of JSON.stringify([title, isPinned, model, settings]))
    hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0;
  return `${updatedAtMs}_${(hash >>> 0).toString(36)}`;
}

let running: Promise<void> | undefined;

/** Makes the chats here and those at the server the same, where the person wants that. One such run is made at a time. */
async function compareWithServer(): Promise<void> {
  if (!isKept.value || !areLoaded.value || document.hidden) return;
  running ??= compare()
    .then(
      () => (copyProblem.value = undefined),
      (error: unknown) => (copyProblem.value = messageOf(error)),
    )
    .then(() => (running = undefined));
  await running;
}

/** A window that has the focus compares more often than others that are seen. */
const compareEveryMs = { focused: 5000, seen: 15_000 };
/** A change is sent when nothing else has changed for so long. */
const settlingMs = 1000;

/** Keeps both sides the same while the page is seen; gives back a function that ends it. */
export function followServer(): () => void {
  let comparedAtMs = 0;
  const run = () => {
    comparedAtMs = Date.now();
    void compareWithServer();
  };
  const timer = setInterval(() => {
    const everyMs = document.hasFocus() ? 0 : compareEveryMs.seen;
    if (Date.now() - comparedAtMs >= everyMs) run();
  }, compareEveryMs.focused);
  addEventListener('focus', run);
  document.addEventListener('visibilitychange', run);
  const stop = effect(() => {
    // Read, so that each change begins it anew.
    if (!areLoaded.value || conversations.value.length < 0) return;
    const settling = setTimeout(run, settlingMs);
    return () => clearTimeout(settling);
  });
  return () => {
    clearInterval(timer);
    removeEventListener('focus', run);
    document.removeEventListener('visibilitychange', run);
    stop();
  };
}

async function compare(): Promise<void> {
  const copies = Map.groupBy(await listCopies(), ({ chatId }) => chatId);
  const known = knownStamps();
  const ids = new Set([...conversations.value.map(({ id }) => id), ...copies.keys(), ...Object.keys(known)]);
  for (const id of ids) {
    const stamp = await compareChat(id, copies.get(id) ?? [], known[id]);
    if (!isKept.value) return;
    if (stamp !== known[id]) knownStamps({ ...knownStamps(), [id]: stamp });
  }
}

/** The stamp under which the chat is the same on both sides now; undefined: it is on neither. */
async function compareChat(id: string, copies: readonly Copy[], known: string | undefined) {
  const own = findConversation(id);
  const isGone = copies.some(({ stamp }) => stamp === goneStamp);
  if (own === undefined) {
    // A chat that was deleted here is deleted there; the others learn of it by the mark that is left.
    if (known !== undefined && !isGone && copies.length > 0) await replace(copies, await sendMark(id));
    return known !== undefined || isGone ? undefined : await take(undefined, copies, known);
  }
  if (own.messages.some(({ stream }) => stream !== undefined)) return known;
  const stamp = stampOf(own);
  if (isGone && stamp === known) {
    await removeConversations([id]);
    return undefined;
  }
  if (copies.length === 1 && copies[0]?.stamp === stamp) return stamp;
  const isNewOnlyHere = isGone || copies.every((copy) => copy.stamp === known);
  return isNewOnlyHere ? await give(own, copies) : await take(own, copies, known);
}

/** Puts the chat as it is here in the place of `copies`. */
async function give(own: Conversation, copies: readonly Copy[]): Promise<string> {
  const messages = [];
  for (const message of own.messages) messages.push(await withContents(message));
  await replace(copies, await send(own.id, stampOf(own), JSON.stringify({ ...own, messages })));
  return stampOf(own);
}

/** Joins the chat here with its copies there. Of titles and settings those here win, where they were changed here. */
async function take(own: Conversation | undefined, copies: readonly Copy[], known: string | undefined) {
  let joined = own;
  for (const { fileId } of copies) {
    const text = await (await asUser(`files/${fileId}/content`)).text();
    const theirs = await withOwnFiles(JSON.parse(text) as Conversation, joined);
    if (joined === undefined) joined = theirs;
    else {
      const isChanged = own !== undefined && stampOf(own) !== known;
      const updatedAtMs = Math.max(joined.updatedAtMs, theirs.updatedAtMs);
      joined = { ...(isChanged ? merge(joined, theirs) : merge(theirs, joined)), updatedAtMs };
    }
  }
  if (joined === undefined) return undefined;
  putConversation(joined);
  const stamp = stampOf(joined);
  return copies.length === 1 && copies[0]?.stamp === stamp ? stamp : await give(joined, copies);
}

/** `theirs` with its attachments kept in this browser, save for messages that are here already. */
async function withOwnFiles(theirs: Conversation, own: Conversation | undefined): Promise<Conversation> {
  const ownIds = new Set(own?.messages.map(({ id }) => id));
  const messages = [];
  for (const message of theirs.messages) {
    const isHere = ownIds.has(message.id) || message.attachments === undefined;
    messages.push(isHere ? message : await readAttachments(message));
  }
  return { ...newConversation(), ...theirs, messages };
}

async function listCopies(): Promise<Copy[]> {
  const { data } = await userJson<ListOf<ServerFile>>(`files?purpose=${purpose}`);
  return data.flatMap(({ id: fileId, filename }) => {
    const [chatId = '', stamp] = filename.split(' ');
    return stamp === undefined ? [] : [{ fileId, chatId: decodeURIComponent(chatId), stamp }];
  });
}

const sendMark = (id: string) => send(id, goneStamp, '{}', goneSeconds);

/** The id of the new file. */
async function send(id: string, stamp: string, text: string, keptSeconds?: number): Promise<string> {
  const form = new FormData();
  form.set('purpose', purpose);
  if (keptSeconds !== undefined) {
    form.set('expires_after[anchor]', 'created_at');
    form.set('expires_after[seconds]', String(keptSeconds));
  }
  form.set('file', new Blob([text]), `${encodeURIComponent(id)} ${stamp}`);
  return (await userJson<ServerFile>('files', { method: 'POST', body: form })).id;
}

/** Deletes `copies`, in whose place `fileId` is now. Another device may have done so. */
async function replace(copies: readonly Copy[], fileId: string): Promise<void> {
  for (const copy of copies) if (copy.fileId !== fileId) await remove(copy);
}

const remove = ({ fileId }: Pick<Copy, 'fileId'>) =>
  asUser(`files/${fileId}`, { method: 'DELETE' }).catch(() => undefined);

/** Whether the server has any of the chats. */
export const hasCopies = async (): Promise<boolean> =>
  (await listCopies()).some(({ stamp }) => stamp !== goneStamp);

/** Deletes all chats at the server, and leaves those here. */
export async function removeServerCopies(): Promise<void> {
  for (const copy of await listCopies()) await remove(copy);
}
