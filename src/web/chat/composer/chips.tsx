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
  return (
    <>
      <Refusals {...{ attachments, refused, dismiss, onModel }} />
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
              <FileName name={attachment.name} />
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
            <FileName name={name} />
            <small>{t.chat.reading}</small>
          </span>
        ))}
      </div>
    </>
  );
}

/** Why the message cannot be sent so, in lines of their own: whatever is attached, they are in view. */
const Refusals = ({ attachments, refused, dismiss, onModel }: Omit<Props, 'pending' | 'remove'>) => (
  <>
    {refusalsOf(attachments).map(({ why, other }) => (
      <span key={why} class="refused" role="alert">
        <span class="name">{why}</span>
        {other !== undefined && <Button text={t.chat.useModel(other)} onClick={() => onModel(other)} />}
      </span>
    ))}
    {refused.map((why, index) => (
      <span key={`refused ${index}`} class="refused" role="alert">
        <span class="name">{why}</span>
        <IconButton icon="close" label={t.shell.close} onClick={() => dismiss(index)} />
      </span>
    ))}
  </>
);

/** In characters: as much of the end of a long name stays in sight, with what kind of file it is. */
const endLength = 12;

const FileName = ({ name }: { name: string }) => (
  <span class="name" title={name}>
    <span>{name.slice(0, -endLength)}</span>
    {name.slice(-endLength)}
  </span>
);
