import { useEffect, useRef, useState } from 'preact/hooks';
import { importPart } from '../../../api/connection.ts';
import { messageOf } from '../../../state/polled.ts';
import { t } from '../../../words/texts.ts';
import type { Attachment } from '../../conversations/conversation.ts';
import { removeFile } from '../../conversations/files.ts';
import { unsent, unsentFiles } from './unsent-files.ts';

/** The files that go with the next message of a chat, those that do not, and why nothing does. */
export function useAttachments(conversationId: string) {
  const attachments = unsentFiles(conversationId);
  const setAttachments = (next: readonly Attachment[]) => {
    unsent.value = { ...unsent.peek(), [conversationId]: next };
  };
  const [pending, setPending] = useState<readonly File[]>([]);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const [refusal, refuse] = useState<string>();
  const lastRead = useRef(Promise.resolve());
  const read = async (file: File) => {
    const parts = await readLater(file);
    setPending((others) => others.filter((other) => other !== file));
    if (typeof parts === 'string') setRefused((others) => [...others, parts]);
    else setAttachments([...unsentFiles(conversationId), ...parts]);
  };
  const add = (files: readonly File[]) => {
    refuse(undefined);
    setPending((others) => [...others, ...files]);
    // One after another: a small file that is chosen after a large one stays after it.
    for (const file of files) lastRead.current = lastRead.current.then(async () => await read(file));
  };
  return {
    attachments,
    /** Files that are being read: nothing is sent without them. */
    pending,
    /** Why files are none of them. */
    refused,
    dismiss: (index: number) => setRefused(refused.toSpliced(index, 1)),
    refusal,
    refuse,
    add: (files: Iterable<File> | null | undefined) => add([...(files ?? [])]),
    remove: (index: number) => {
      const removed = attachments[index];
      setAttachments(attachments.toSpliced(index, 1));
      if (removed !== undefined && removed.kind !== 'text') void removeFile(removed.fileId);
    },
    clear: () => {
      setAttachments([]);
      setRefused([]);
    },
  };
}

const readLater = async (file: File): Promise<readonly Attachment[] | string> => {
  const part = await importPart(() => import('./read-attachment.ts')).catch(() => undefined);
  return part === undefined ? t.errors.unreachable : await part.readAttachment(file).catch(messageOf);
};

/** Whether a file is dragged over the page, anywhere on which it may be dropped. */
export function useDrop(onFiles: (files: FileList | undefined) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const drop = useRef(onFiles);
  drop.current = onFiles;
  useEffect(() => {
    const leaving = new AbortController();
    const options = { signal: leaving.signal };
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
    addEventListener('dragover', over, options);
    addEventListener('dragleave', left, options);
    addEventListener('drop', dropped, options);
    return () => leaving.abort();
  }, []);
  return isOver;
}
