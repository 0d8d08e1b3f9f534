import { useState } from 'preact/hooks';
import { importPart } from '../../api/connection.ts';
import { chatModel, chatModels } from '../../state/models.ts';
import { t } from '../../texts.ts';
import { toSize } from '../../words.ts';
import type { AttachedFile, AttachedText, Attachment } from '../conversations/conversation.ts';
import { keepFile } from '../conversations/files.ts';
import { mostPdfBytes, mostPdfPages, readPdf } from './pdf.ts';
import { toPicture } from './pictures.ts';

/** Far more than the contexts of most models hold. */
const mostTextBytes = 500_000;
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
      else setAttachments((others) => [...others, read]);
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

/** `file` as an attachment, or why it cannot be one. */
async function readAttachment(file: File): Promise<NewAttachment | string> {
  const { name, type } = file;
  const kind = /^(image|audio)\//.exec(type)?.[1] as AttachedFile['kind'] | undefined;
  if (kind === undefined || type === 'image/svg+xml') return await readText(file);
  const refusal = whyRefused(kind) ?? whyTooLarge(file, kind === 'image' ? mostPictureBytes : mostSoundBytes);
  if (refusal !== undefined) return refusal;
  if (kind === 'audio') {
    const soundType = soundTypes[type];
    return soundType === undefined
      ? t.chat.unknownSound(name)
      : { name, kind, content: file.slice(0, file.size, soundType) };
  }
  const content = await toPicture(file);
  return content === undefined ? t.chat.brokenPicture(name) : { name, kind, content };
}

async function readText(file: File): Promise<NewAttachment | string> {
  const { name } = file;
  if (file.type === 'application/pdf') return await readPdfText(file);
  const refusal = whyTooLarge(file, mostTextBytes);
  if (refusal !== undefined) return refusal;
  const text = isDocx(file) ? await readDocxText(file) : decodeText(new Uint8Array(await file.arrayBuffer()));
  return text === undefined ? t.chat.noText(name) : { name, kind: 'text', text };
}

const isDocx = ({ name, type }: File) => /\.docx$/i.test(name) || type.endsWith('.wordprocessingml.document');

async function readDocxText(file: File): Promise<string | undefined> {
  const { readDocx } = await importPart(() => import('./docx.ts'));
  return await readDocx(await file.arrayBuffer(), mostTextBytes).catch(() => undefined);
}

async function readPdfText(file: File): Promise<NewAttachment | string> {
  const { name } = file;
  const refusal = whyTooLarge(file, mostPdfBytes);
  if (refusal !== undefined) return refusal;
  const pdf = await readPdf(file);
  switch (pdf.outcome) {
    case 'read':
      return pdf.text.length > mostTextBytes
        ? t.chat.pdfTooMuch(name, pdf.pages, toSize(pdf.text.length), toSize(mostTextBytes))
        : { name, kind: 'text', text: pdf.text, pages: pdf.pages };
    case 'scanned':
      return t.chat.pdfScanned(name, pdf.pages);
    case 'too-long':
      return t.chat.pdfTooLong(name, pdf.pages, mostPdfPages);
    case 'locked':
      return t.chat.pdfLocked(name);
    case 'broken':
      return t.chat.pdfBroken(name);
  }
}

const whyTooLarge = ({ name, size }: File, mostBytes: number) =>
  size > mostBytes ? t.chat.fileTooLarge(name, toSize(size), toSize(mostBytes)) : undefined;

/** Characters that no text has. */
// oxlint-disable-next-line no-control-regex
const binary = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

/** The text that `bytes` are: UTF-8, the UTF-16 of Windows, or its older Latin letters; undefined: they are no text. */
function decodeText(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const encodings = isUtf16 ? [first === 0xff ? 'utf-16le' : 'utf-16be'] : ['utf-8', 'windows-1252'];
  for (const encoding of encodings) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      return binary.test(text) ? undefined : text;
    } catch {
      // It is not in this encoding.
    }
  }
  return undefined;
}
