import { parsed } from '../../../state/stored.ts';
import { afterMs } from '../../../state/after-ms.ts';
import { merge, newConversation, type Attachment, type Conversation, type Message } from '../conversation.ts';
import { findFile, fromBase64, keepFile, toBase64 } from '../files.ts';
import { readForeign } from './foreign-exports.ts';
import { conversations, findConversation, putConversation } from '../store.ts';

const format = 'hearth-chats';

/** All conversations, with their pictures and recordings, as a file. */
export async function exportConversations(): Promise<Blob> {
  const texts: string[] = [];
  for (const conversation of conversations.value) {
    const messages = [];
    for (const message of conversation.messages) messages.push(await withContents(message));
    texts.push(JSON.stringify({ ...conversation, messages }));
  }
  // In pieces, because one string holds half a gigabyte at most.
  const pieces = texts.flatMap((text, index) => (index === 0 ? [text] : [',\n', text]));
  const head = `{"format":"${format}","version":1,"conversations":[\n`;
  return new Blob([head, ...pieces, '\n]}\n'], { type: 'application/json' });
}

/** A message with its attachments in it. */
export async function withContents({ attachments, ...message }: Message): Promise<object> {
  if (attachments === undefined) return message;
  const whole: object[] = [];
  for (const attachment of attachments) {
    if (attachment.kind === 'text') whole.push(attachment);
    else {
      const { name, kind, type, fileId } = attachment;
      const content = await findFile(fileId);
      if (content !== undefined)
        whole.push({ name, kind, dataUrl: `data:${type};base64,${await toBase64(content)}` });
    }
  }
  return { ...message, attachments: whole };
}

/** How many conversations an export brought, or messages of them, and how many were here already as a whole. */
export interface Imported {
  readonly brought: number;
  readonly known: number;
}

/** Takes over the conversations of `text`, an export of hearth or another program; undefined: it is none. */
export async function importConversations(
  text: string,
  onProgress: (done: number, all: number) => void,
): Promise<Imported | undefined> {
  const imported = readExport(text);
  if (imported === undefined) return undefined;
  let known = 0;
  for (const [index, conversation] of imported.entries()) {
    const here = findConversation(conversation.id);
    const missing = conversation.messages.filter(isMissingIn(here));
    if (here !== undefined && missing.length === 0) known += 1;
    else {
      const messages: Message[] = [];
      for (const message of missing)
        messages.push(message.attachments === undefined ? message : await readAttachments(message));
      const brought = { ...newConversation(), ...conversation, messages };
      putConversation(here === undefined ? brought : merge(here, brought));
    }
    if (index % 10 > 0) continue;
    onProgress(index, imported.length);
    await afterMs();
  }
  return { brought: imported.length - known, known };
}

/** A message that was deleted here is not missing. */
function isMissingIn(here: Conversation | undefined): (message: Message) => boolean {
  const known = new Set([...(here?.messages.map(({ id }) => id) ?? []), ...(here?.removedIds ?? [])]);
  return ({ id }) => !known.has(id);
}

function readExport(text: string): Conversation[] | undefined {
  const content = parsed<{ format?: unknown; conversations?: unknown } | null>(text, null);
  try {
    if (content?.format !== format) return readForeign(content);
    return Array.isArray(content.conversations) ? content.conversations.filter(isConversation) : undefined;
  } catch {
    return undefined;
  }
}

/** Enough of a look to show nothing broken; the text itself is never trusted anyway. */
function isConversation(value: unknown): value is Conversation {
  if (typeof value !== 'object' || value === null) return false;
  const { id, title, messages } = value as Partial<Record<keyof Conversation, unknown>>;
  return (
    typeof id === 'string' &&
    typeof title === 'string' &&
    Array.isArray(messages) &&
    messages.every(
      (message: Partial<Record<string, unknown>> | null) =>
        typeof message?.['id'] === 'string' && typeof message['content'] === 'string',
    )
  );
}

/** A message whose attachments, which came in it, are kept in this browser. */
export async function readAttachments(message: Message): Promise<Message> {
  const attachments: Attachment[] = [];
  const given: unknown = message.attachments;
  for (const one of Array.isArray(given) ? (given as unknown[]) : []) {
    const attachment = await toAttachment(one);
    if (attachment !== undefined) attachments.push(attachment);
  }
  return { ...message, attachments };
}

/** undefined: it is nothing that an export holds. */
async function toAttachment(value: unknown): Promise<Attachment | undefined> {
  const { name, kind, text, dataUrl, ...sizes } = (value ?? {}) as Partial<Record<string, unknown>>;
  if (typeof name !== 'string') return undefined;
  if (kind === 'text')
    return typeof text === 'string' ? { name, kind, text, ...numbersIn(sizes, 'pages', 'bytes') } : undefined;
  const [, type = '', fileKind, base64 = ''] =
    /^data:((image|audio)\/[\w.+-]+);base64,(.*)$/.exec(String(dataUrl)) ?? [];
  const content = fromBase64(base64, type);
  if ((fileKind !== 'image' && fileKind !== 'audio') || content === undefined) return undefined;
  return { name, kind: fileKind, type, fileId: await keepFile(content) };
}

/** Those of `names` that are numbers in `values`. */
const numbersIn = (values: Partial<Record<string, unknown>>, ...names: readonly string[]) =>
  Object.fromEntries(
    names.flatMap((name) => (typeof values[name] === 'number' ? [[name, values[name]]] : [])),
  );
