import { t } from '../../texts.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Picture } from '../../ui/picture.tsx';
import { sizeOf } from '../messages/question.tsx';
import { refusalOf, refusalsOf } from './attachments.ts';
import type { useAttachments } from './use-attachments.ts';

interface Props extends Pick<
  ReturnType<typeof useAttachments>,
  'attachments' | 'pending' | 'refused' | 'remove' | 'dismiss'
> {
  readonly onModel: (id: string) => void;
}

/** Attachments of the message that is being written, those marked that its model does not take. */
export function Chips({ attachments, pending, refused, remove, dismiss, onModel }: Props) {
  if (attachments.length + pending.length + refused.length === 0) return null;
  return (
    <div class="chips">
      {attachments.map((attachment, index) => (
        <span
          key={index}
          class={`chip${attachment.kind === 'image' ? ' pictured' : ''}${refusalOf(attachment.kind) ? ' barred' : ''}`}
        >
          {attachment.kind === 'text' && <Icon name="audit" />}
          {attachment.kind === 'image' ? (
            <Picture content={attachment.content} name={attachment.name} />
          ) : (
            <span class="name">{attachment.name}</span>
          )}
          {attachment.kind === 'text' && <small>{sizeOf(attachment)}</small>}
          <IconButton
            icon="close"
            label={`${t.chat.detach}: ${attachment.name}`}
            onClick={() => remove(index)}
          />
        </span>
      ))}
      {pending.map(({ name }, index) => (
        <span key={`pending ${index}`} class="chip pulse" role="status">
          <span class="name">{name}</span>
          <small>{t.chat.reading}</small>
        </span>
      ))}
      {refusalsOf(attachments).map(({ why, other }) => (
        <span key={why} class="chip refused" role="alert">
          <span class="name">{why}</span>
          {other !== undefined && <Button text={t.chat.useModel(other)} onClick={() => onModel(other)} />}
        </span>
      ))}
      {refused.map((why, index) => (
        <span key={`refused ${index}`} class="chip refused" role="alert">
          <span class="name">{why}</span>
          <IconButton icon="close" label={t.shell.close} onClick={() => dismiss(index)} />
        </span>
      ))}
    </div>
  );
}
