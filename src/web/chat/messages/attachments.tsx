import { useEffect, useState } from 'preact/hooks';
import { t } from '../../texts.ts';
import { Picture, useObjectUrl } from '../../ui/picture.tsx';
import { toSize } from '../../words.ts';
import type { AttachedFile, AttachedText, Message } from '../conversations/conversation.ts';
import { findFile } from '../conversations/files.ts';

/** Attachments of a sent question. */
export function Attachments({ message: { attachments = [] } }: { message: Message }) {
  if (attachments.length === 0) return null;
  return (
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
}

function FoldedText({ attachment: { name, text } }: { attachment: AttachedText }) {
  return (
    <details class="attached-text">
      <summary>
        {name} <small>{toSize(text.length)}</small>
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
    <Sound content={content} name={name} />
  );
}

function Sound({ content, name }: { content: Blob | undefined; name: string }) {
  const url = useObjectUrl(content);
  return <audio controls src={url} aria-label={name} />;
}
