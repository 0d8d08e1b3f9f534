import { t } from '../../texts.ts';
import { IconButton } from '../../ui/controls.tsx';
import { Picture } from '../../ui/picture.tsx';
import { formatBytes } from '../../../words/format-bytes.ts';
import type { NewAttachment } from './attachments.ts';

interface Props {
  readonly attachments: readonly NewAttachment[];
  /** Files that are being read. */
  readonly pending: readonly File[];
  readonly onRemove: (index: number) => void;
}

/** Attachments of the message that is being written. */
export function Chips({ attachments, pending, onRemove }: Props) {
  if (attachments.length + pending.length === 0) return null;
  return (
    <div class="chips">
      {attachments.map((attachment, index) => (
        <span key={index} class={attachment.kind === 'image' ? 'chip pictured' : 'chip'}>
          {attachment.kind === 'image' ? (
            <Picture content={attachment.content} name={attachment.name} />
          ) : (
            <span class="name">{attachment.name}</span>
          )}
          {attachment.kind === 'text' && (
            <small>
              {attachment.pages === undefined
                ? formatBytes(attachment.text.length)
                : t.chat.pages(attachment.pages)}
            </small>
          )}
          <IconButton
            icon="close"
            label={`${t.chat.detach}: ${attachment.name}`}
            onClick={() => onRemove(index)}
          />
        </span>
      ))}
      {pending.map(({ name }, index) => (
        <span key={`pending ${index}`} class="chip pulse" role="status">
          <span class="name">{name}</span>
          <small>{t.chat.reading}</small>
        </span>
      ))}
    </div>
  );
}
