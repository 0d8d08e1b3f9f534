import { useState } from 'preact/hooks';
import { chatModel } from '../../state/models.ts';
import { t } from '../../texts.ts';
import { toSize } from '../../words.ts';
import type { Attachment } from '../conversations/conversation.ts';

/** Far more than the contexts of most models hold. */
const mostTextBytes = 500_000;
/** Of a picture or a sound; what the server takes in one request by itself. */
const mostMediaBytes = 3_000_000;

/** The files that go with the next message, and why the last one does not. */
export function useAttachments() {
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);
  const [refusal, setRefusal] = useState<string>();
  const add = async (files: Iterable<File>) => {
    setRefusal(undefined);
    for (const file of files) {
      const read = await readAttachment(file);
      if (typeof read === 'string') setRefusal(read);
      else setAttachments((others) => [...others, read]);
    }
  };
  return {
    attachments,
    refusal,
    add: (files: FileList | null | undefined) => void add([...(files ?? [])]),
    remove: (index: number) => setAttachments(attachments.toSpliced(index, 1)),
    clear: () => setAttachments([]),
  };
}

/** `file` as an attachment, or why it cannot be one. */
async function readAttachment(file: File): Promise<Attachment | string> {
  const { name, type, size } = file;
  const kind = /^(image|audio)\//.exec(type)?.[1] as 'image' | 'audio' | undefined;
  if (kind === undefined || type === 'image/svg+xml') return await readText(file);
  const { id = '', capabilities } = chatModel.value ?? {};
  if (kind === 'image' && capabilities?.supports_image !== true) return t.chat.noPictures(id);
  if (kind === 'audio' && capabilities?.supports_audio !== true) return t.chat.noAudio(id);
  if (size > mostMediaBytes) return t.chat.fileTooLarge(name, toSize(size), toSize(mostMediaBytes));
  return { name, kind, dataUrl: await toDataUrl(file) };
}

async function readText(file: File): Promise<Attachment | string> {
  const { name, size } = file;
  if (file.type === 'application/pdf') return t.chat.noPdf(name);
  if (size > mostTextBytes) return t.chat.fileTooLarge(name, toSize(size), toSize(mostTextBytes));
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    if (!text.includes('\0')) return { name, kind: 'text', text };
  } catch {
    // It is no UTF-8.
  }
  return t.chat.noText(name);
}

function toDataUrl(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.addEventListener('load', () => resolve(reader.result as string));
  reader.addEventListener('error', () => reject(reader.error ?? new Error(file.name)));
  reader.readAsDataURL(file);
  return promise;
}
