import { useEffect, useRef, useState } from 'preact/hooks';
import { chatModel, chatModels } from '../../state/models.ts';
import { messageOf } from '../../state/polled.ts';
import { userJson } from '../../state/session.ts';
import { t } from '../../texts.ts';
import { formatBytes } from '../../../words/format-bytes.ts';
import type { AttachedFile, AttachedText, Attachment } from '../conversations/conversation.ts';
import { fromBase64, keepFile, toBase64 } from '../conversations/files.ts';
import { toPicture } from './pictures.ts';

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

/** A file that goes with the message that is being written, and is kept when that is sent. */
export type NewAttachment =
  | AttachedText
  | { readonly name: string; readonly kind: AttachedFile['kind']; readonly content: Blob };

/** The files that go with the next message, and why the last one does not. */
export function useAttachments() {
  const [attachments, setAttachments] = useState<readonly NewAttachment[]>([]);
  const [refusal, setRefusal] = useState<{ readonly why: string; readonly modelId: string | undefined }>();
  const refuse = (why: string | undefined) =>
    setRefusal(why === undefined ? undefined : { why, modelId: chatModel.value?.id });
  const add = async (files: Iterable<File>) => {
    refuse(undefined);
    for (const file of files) {
      const read = await readAttachment(file);
      if (typeof read === 'string') refuse(read);
      else setAttachments((others) => [...others, ...read]);
    }
  };
  return {
    attachments,
    // Another model may take what one did not.
    refusal: refusal?.modelId === chatModel.value?.id ? refusal?.why : undefined,
    refuse,
    add: (files: Iterable<File> | null | undefined) => void add([...(files ?? [])]),
    remove: (index: number) => setAttachments(attachments.toSpliced(index, 1)),
    clear: () => setAttachments([]),
  };
}

/** Why the chosen model takes no attachments of `kind`; undefined: it does. */
export function whyRefused(kind: NewAttachment['kind']): string | undefined {
  const { id = '', capabilities } = chatModel.value ?? {};
  if (kind === 'image') {
    if (capabilities?.supports_image === true) return undefined;
    return t.chat.noPictures(id, chatModels.value.find((other) => other.capabilities.supports_image)?.id);
  }
  if (kind === 'text' || capabilities?.supports_audio === true) return undefined;
  return t.chat.noAudio(id, chatModels.value.find((other) => other.capabilities.supports_audio)?.id);
}

/** Keeps the files of a message in this browser. Rejects where there is no room for them. */
export async function keepAttachments(attachments: readonly NewAttachment[]): Promise<Attachment[]> {
  return await Promise.all(
    attachments.map(async (attachment) => {
      if (attachment.kind === 'text') return attachment;
      const { name, kind, content } = attachment;
      return { name, kind, type: content.type, fileId: await keepFile(content) };
    }),
  );
}

/** `file` as attachments, of which a scan has one for each page, or why it cannot be any. */
async function readAttachment(file: File): Promise<readonly NewAttachment[] | string> {
  const { name, type } = file;
  const kind = /^(image|audio)\//.exec(type)?.[1] as AttachedFile['kind'] | undefined;
  if (kind === undefined || type === 'image/svg+xml') return await readText(file);
  const refusal = whyRefused(kind) ?? whyTooLarge(file, kind === 'image' ? mostPictureBytes : mostSoundBytes);
  if (refusal !== undefined) return refusal;
  if (kind === 'audio') {
    const soundType = soundTypes[type];
    return soundType === undefined
      ? t.chat.unknownSound(name)
      : [{ name, kind, content: file.slice(0, file.size, soundType) }];
  }
  const content = await toPicture(file);
  return content === undefined ? t.chat.brokenPicture(name) : [{ name, kind, content }];
}

/** The server reads all documents: they are the same text wherever they are sent from. */
async function readText(file: File): Promise<readonly NewAttachment[] | string> {
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
      return whyRefused('image') ?? pictures.map((url, index) => toPage(name, url, index + 1));
    if (text.length > mostTextChars)
      return t.chat.textTooLong(name, formatBytes(text.length), formatBytes(mostTextChars));
    return [{ name, kind: 'text', text, ...(kind === 'pdf' && { pages: parts }) }];
  } catch (error) {
    const why = messageOf(error);
    // The server calls a file by the API's word for it.
    const named = why.replace(/^The document in '\w+' /, `${name} `);
    return named === why ? `${name}: ${why}` : named;
  }
}

function toPage(name: string, url: string, page: number): NewAttachment {
  const content = fromBase64(url.slice(url.indexOf(',') + 1), 'image/jpeg') ?? new Blob();
  return { name: t.chat.pageOf(name, page), kind: 'image', content };
}

const whyTooLarge = ({ name, size }: File, mostBytes: number) =>
  size > mostBytes ? t.chat.fileTooLarge(name, formatBytes(size), formatBytes(mostBytes)) : undefined;

/** Whether a file is dragged over the page, anywhere on which it may be dropped. */
export function useDrop(onFiles: (files: FileList | undefined) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const drop = useRef(onFiles);
  drop.current = onFiles;
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    // Text that is dragged goes where the browser puts it.
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    };
    const left = ({ relatedTarget }: DragEvent) => setIsOver(relatedTarget !== null);
    const dropped = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(false);
      drop.current(event.dataTransfer?.files);
    };
    addEventListener('dragover', over, { signal });
    addEventListener('dragleave', left, { signal });
    addEventListener('drop', dropped, { signal });
    return () => leaving.abort();
  }, []);
  return isOver;
}
