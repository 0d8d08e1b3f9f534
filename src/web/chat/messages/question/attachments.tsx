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
      ) : (
        <KeptFile key={index} file={attachment} />
      ),
    )}
  </div>
);

/** The size of an attached text, as it stands beside its name. */
export const sizeOf = ({ text, pages }: Pick<AttachedText, 'text' | 'pages'>): string =>
  pages === undefined ? formatBytes(text.length) : t.chat.pages(pages);

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

/** A picture or a recording, read from where this browser keeps it. */
function KeptFile({ file: { fileId, kind, name } }: { file: AttachedFile }) {
  const [content, setContent] = useState<Blob | 'gone'>();
  useEffect(() => {
    let shown = true;
    const found = findFile(fileId).catch(() => undefined);
    void found.then((blob) => shown && setContent(blob ?? 'gone'));
    return () => {
      shown = false;
    };
  }, [fileId]);
  if (content === 'gone') return <p class="note">{t.chat.fileGone(name)}</p>;
  return kind === 'image' ? (
    <Picture content={content} name={name} />
  ) : (
    <KeptSound content={content} name={name} />
  );
}

const KeptSound = ({ content, name }: { content: Blob | undefined; name: string }) => (
  <Sound url={useObjectUrl(content)} name={name} />
);
