import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../words/dialog-texts.ts';
import { FileName } from '../../../ui/media/file-name.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { lazyPart } from '../../../ui/rendering/lazy-part.tsx';
import { Picture, useObjectUrl } from '../../../ui/media/picture.tsx';
import { formatBytes } from '../../../../words/format-bytes.ts';
import type { AttachedFile, AttachedText, Attachment } from '../../conversations/conversation.ts';
import { findFile } from '../../conversations/files.ts';
import './attachments.css';

const Sound = lazyPart(async () => (await import('../../../ui/media/sound.tsx')).Sound);

/** The attachments of a question. */
export const Attachments = ({ of: attachments }: { of: readonly Attachment[] }) => (
  <div class="attachments">
    {attachments.map((attachment, index) =>
      attachment.kind === 'text' ? (
        <FoldedText key={index} attachment={attachment} />
      ) : attachment.kind === 'image' ? (
        <KeptPicture key={index} file={attachment} />
      ) : (
        <KeptSound key={index} file={attachment} />
      ),
    )}
  </div>
);

/** The size of the file of an attached text, as far as it is known, as it stands beside its name. */
export function sizeOf({ pages, bytes }: AttachedText): string | undefined {
  if (pages !== undefined) return t.chat.pages(pages);
  return bytes === undefined ? undefined : formatBytes(bytes);
}

function FoldedText({ attachment }: { attachment: AttachedText }) {
  const { name, text } = attachment;
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="attached-text" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Icon name="audit" />
        <FileName name={name} most={isOpen ? Infinity : undefined} /> <small>{sizeOf(attachment)}</small>
        <Icon name="right" />
      </summary>
      <pre tabindex={0}>{text}</pre>
    </details>
  );
}

/** The content of a file, read from where this browser keeps it; undefined while it is read. */
function useKeptFile({ fileId }: AttachedFile): Blob | 'gone' | undefined {
  const [content, setContent] = useState<Blob | 'gone'>();
  useEffect(() => {
    let shown = true;
    const found = findFile(fileId).catch(() => undefined);
    void found.then((blob) => shown && setContent(blob ?? 'gone'));
    return () => {
      shown = false;
    };
  }, [fileId]);
  return content;
}

const Gone = ({ name }: AttachedFile) => <p class="note">{t.chat.fileGone(name)}</p>;

export function KeptPicture({ file }: { file: AttachedFile }) {
  const content = useKeptFile(file);
  return content === 'gone' ? <Gone {...file} /> : <Picture content={content} name={file.name} />;
}

function KeptSound({ file }: { file: AttachedFile }) {
  const content = useKeptFile(file);
  const url = useObjectUrl(content === 'gone' ? undefined : content);
  return content === 'gone' ? <Gone {...file} /> : <Sound url={url} name={file.name} />;
}
