import { useState } from 'preact/hooks';
import { t } from '../../../words/dialog-texts.ts';
import { Button, IconButton } from '../../../ui/controls.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { FileName, shortName } from '../../../ui/media/file-name.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { KeptPicture, sizeOf } from '../../messages/question/attachments.tsx';
import type { AttachedText } from '../../conversations/conversation.ts';
import { refusalsOf } from './attachments.ts';
import type { useAttachments } from './use-attachments.ts';
import { goWrite } from '../keyboard.ts';
import './chips.css';

interface Props extends Pick<
  ReturnType<typeof useAttachments>,
  'attachments' | 'pending' | 'refused' | 'remove' | 'dismiss'
> {
  /** The second model that is asked, if any. */
  readonly second: string | undefined;
  readonly onModel: (id: string) => void;
  readonly onSecond: (id: string | undefined) => void;
  /** Adds a text to the message. */
  readonly onText: (text: string) => void;
}

/** Attachments of the message that is being written, those marked that its model does not take. */
export function Chips({ pending, remove, onText, ...props }: Props) {
  const { attachments, second } = props;
  const refusals = refusalsOf(attachments, second);
  return (
    <>
      <Refusals {...props} of={refusals} />
      <div class="chips">
        {attachments.length > 3 && <small>{t.attachments.count(attachments.length)}</small>}
        {attachments.map((attachment, index) => (
          <span
            key={attachment.kind === 'text' ? index : attachment.fileId}
            class={`chip${attachment.kind === 'image' ? ' pictured' : ''}${refusals.some(({ kind }) => kind === attachment.kind) ? ' barred' : ''}`}
          >
            {attachment.kind === 'image' ? (
              <KeptPicture file={attachment} />
            ) : attachment.kind === 'text' ? (
              <TextChip
                attachment={attachment}
                onUnfold={() => {
                  remove(index);
                  onText(`\n${attachment.text}`);
                  // While the dialog is there nothing beside it takes the focus.
                  setTimeout(goWrite);
                }}
              />
            ) : (
              <FileName name={attachment.name} most={shortName} />
            )}
            <IconButton
              icon="close"
              label={`${t.chat.detach}: ${attachment.name}`}
              onClick={() => remove(index)}
            />
          </span>
        ))}
        {pending.map(({ name }, index) => (
          <span key={`pending ${index}`} class="chip pulse" role="status">
            <FileName name={name} most={shortName} />
            <small>{t.chat.reading}</small>
          </span>
        ))}
      </div>
    </>
  );
}

/** An attached text, which opens when it is pressed. A pasted one can be put into the message, where it is changed. */
function TextChip({ attachment, onUnfold }: { attachment: AttachedText; onUnfold: () => void }) {
  const { name, text } = attachment;
  const [isOpen, setOpen] = useState(false);
  const isPasted = name === t.chat.pastedFile;
  return (
    <>
      <button type="button" class="text" title={t.chat.enlarge(name)} onClick={() => setOpen(true)}>
        <Icon name="audit" />
        <FileName name={name} most={shortName} />
        <small>{sizeOf(attachment)}</small>
      </button>
      {isOpen && (
        <Dialog
          title={name}
          onClose={() => setOpen(false)}
          actions={isPasted ? <Button text={t.attachments.intoMessage} onClick={onUnfold} /> : undefined}
        >
          <pre tabindex={0}>{text}</pre>
        </Dialog>
      )}
    </>
  );
}

interface RefusalsProps extends Omit<Props, 'attachments' | 'pending' | 'remove' | 'onText'> {
  readonly of: ReturnType<typeof refusalsOf>;
}

/** Why the message cannot be sent so, in lines of their own: whatever is attached, they are in view. */
const Refusals = ({ of: refusals, refused, dismiss, second, onModel, onSecond }: RefusalsProps) => (
  <>
    {refusals.map(({ why, who, other }) => (
      <span key={why} class="refused" role="alert">
        <span class="name">{why}</span>
        {other !== undefined && (
          <Button
            text={second === undefined ? t.chat.useModel(other) : t.chat.useInstead(other)}
            onClick={() => {
              (who === 'second' ? onSecond : onModel)(other);
              // There is no third one to compare it with, as far as is known.
              if (who === 'both') onSecond(undefined);
            }}
          />
        )}
        {other === undefined && who === 'second' && (
          <Button text={t.chat.compareEnd} onClick={() => onSecond(undefined)} />
        )}
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
