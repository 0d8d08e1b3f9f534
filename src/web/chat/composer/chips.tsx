import { t } from '../../texts.ts';
import { IconButton } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Picture } from '../../ui/picture.tsx';
import { sizeOf } from '../messages/question.tsx';
import type { useAttachments } from './use-attachments.ts';

type Props = Pick<
  ReturnType<typeof useAttachments>,
  'attachments' | 'pending' | 'refused' | 'remove' | 'dismiss'
>;

/** Attachments of the message that is being written. */
export function Chips({ attachments, pending, refused, remove, dismiss }: Props) {
  if (attachments.length + pending.length + refused.length === 0) return null;
  return (
    <div class="chips">
      {attachments.map((attachment, index) => (
        <span key={index} class={attachment.kind === 'image' ? 'chip pictured' : 'chip'}>
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
      {refused.map((one, index) => (
        <span key={`refused ${index}`} class="chip refused" role="alert">
          <span class="name">{one.why}</span>
          <IconButton icon="close" label={t.shell.close} onClick={() => dismiss(one)} />
        </span>
      ))}
    </div>
  );
}
