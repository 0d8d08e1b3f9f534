import { messageOf } from '../../../state/polled.ts';
import { chatModel } from '../../../state/models.ts';
import { userJson } from '../../../state/session.ts';
import { t } from '../../../words/dialog-texts.ts';
import { formatBytes } from '../../../../words/format-bytes.ts';
import type { AttachedFile, Attachment } from '../../conversations/conversation.ts';
import {
  fromBase64,
  keepFile,
  removeFile,
  removeForgottenFiles,
  toBase64,
} from '../../conversations/files.ts';
import { areLoaded, conversations } from '../../conversations/store.ts';
import { takersOf } from './attachments.ts';
import { toPicture } from './pictures.ts';
import { allNext } from '../queue/next-message.ts';
import { unsent } from './unsent-files.ts';

/** Far more than the contexts of most models hold. */
const mostTextChars = 500_000;
/** Of a document, most of which may be pictures: the server takes about as much in base64. */
const mostDocumentBytes = 24_000_000;
/** Of a recording; about the most that the server takes in one request by itself. */
const mostSoundBytes = 3_000_000;
/** Of a picture before it is made smaller. */
const mostPictureBytes = 50_000_000;

/** The formats of sound that models take. */
const soundTypes: Readonly<Record<string, string>> = {
  'audio/wav': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/mpeg': 'audio/mpeg',
  'audio/mp3': 'audio/mpeg',
};

/** As `POST /v1/documents` answers. */
interface DocumentText {
  readonly kind: string;
  readonly parts: number;
  readonly text: string;
  readonly pictures?: readonly string[];
}

/** `file` as attachments, of which a scan has one for each page, or why it cannot be any. */
export async function readAttachment(file: File): Promise<readonly Attachment[] | string> {
  const { name, type } = file;
  const kind = /^(image|audio)\//.exec(type)?.[1] as AttachedFile['kind'] | undefined;
  if (kind === undefined || type === 'image/svg+xml') return await readText(file);
  const refusal =
    whyUseless(name, kind) ?? whyTooLarge(file, kind === 'image' ? mostPictureBytes : mostSoundBytes);
  if (refusal !== undefined) return refusal;
  if (kind === 'audio') {
    const soundType = soundTypes[type];
    return soundType === undefined
      ? t.attachments.unknownSound(name)
      : await keepAll(name, [{ name, kind, content: file.slice(0, file.size, soundType) }]);
  }
  const content = await toPicture(file);
  return content === undefined
    ? t.attachments.brokenPicture(name)
    : await keepAll(name, [{ name, kind, content }]);
}

/** The server reads all documents: they are the same text wherever they are sent from. */
async function readText(file: File): Promise<readonly Attachment[] | string> {
  const { name } = file;
  const refusal = whyTooLarge(file, mostDocumentBytes);
  if (refusal !== undefined) return refusal;
  try {
    const body = { file_data: await toBase64(file), filename: name };
    const { kind, parts, text, pictures } = await userJson<DocumentText>('documents', {
      method: 'POST',
      body,
    });
    if (pictures !== undefined)
      return (
        whyUseless(name, 'image') ??
        (await keepAll(
          name,
          pictures.map((url, index) => toPage(name, url, index + 1)),
        ))
      );
    if (text.length > mostTextChars)
      return t.attachments.textTooLong(name, formatBytes(text.length), formatBytes(mostTextChars));
    return [{ name, kind: 'text', text, bytes: file.size, ...(kind === 'pdf' && { pages: parts }) }];
  } catch (error) {
    if (error instanceof DOMException) return t.attachments.unreadable(name);
    const why = messageOf(error);
    // The server calls a file by the API's word for it.
    const named = why.replace(/^The document in '\w+' /, `${name} `);
    return named === why
      ? `${name}: ${why}`
      : named.replace(/, HTML or text\.$/, t.attachments.orElse(others()));
  }
}

/** The kinds of files besides documents that some model here takes. The server's error names documents only. */
const others = (): ('image' | 'audio')[] =>
  (['image', 'audio'] as const).filter((kind) => takersOf(kind).length > 0);

function toPage(name: string, url: string, page: number): Unkept {
  const content = fromBase64(url.slice(url.indexOf(',') + 1), 'image/jpeg') ?? new Blob();
  return { name: t.attachments.pageOf(name, page), kind: 'image', content };
}

interface Unkept extends Pick<AttachedFile, 'name' | 'kind'> {
  readonly content: Blob;
}

/** `files` of the file `fileName` as attachments that this browser keeps, or why they are not. */
async function keepAll(
  fileName: string,
  files: readonly Unkept[],
): Promise<readonly AttachedFile[] | string> {
  await makeRoom();
  const kept: AttachedFile[] = [];
  try {
    for (const { name, kind, content } of files)
      kept.push({ name, kind, type: content.type, fileId: await keepFile(content) });
    return kept;
  } catch {
    for (const { fileId } of kept) await removeFile(fileId);
    return t.attachments.noRoom(fileName);
  }
}

/** Deletes kept files that neither a chat nor a message that is being written needs. */
async function makeRoom(): Promise<void> {
  if (!areLoaded.value) return;
  const sent = conversations.value.flatMap(({ messages }) => messages);
  const beingWritten = Object.values(unsent.value).map((attachments) => ({ attachments }));
  await removeForgottenFiles([...sent, ...beingWritten, ...allNext()]);
}

/** Why a file of `kind` is of no use: no model here takes it. */
const whyUseless = (name: string, kind: AttachedFile['kind']): string | undefined =>
  takersOf(kind).length > 0 ? undefined : `${name}: ${t.chat.takesNo[kind](chatModel.value?.id ?? '', true)}`;

const whyTooLarge = ({ name, size }: File, mostBytes: number) =>
  size > mostBytes ? t.attachments.fileTooLarge(name, formatBytes(size), formatBytes(mostBytes)) : undefined;
