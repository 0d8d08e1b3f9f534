import { useEffect, useRef, useState } from 'preact/hooks';
import { IconButton, Problem } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { chatModel, models } from '../../state/models.ts';
import { t } from '../../texts.ts';
import { toSize } from '../../words.ts';
import type { LiveAnswer } from '../answer.ts';
import type { Attachment } from '../conversations/conversation.ts';
import { useAttachments } from './attachments.ts';

interface Props {
  readonly live: LiveAnswer | undefined;
  /** False: nothing was sent, and the text stays. */
  readonly onSend: (text: string, attachments: readonly Attachment[]) => Promise<boolean>;
}

/** Where a message is written; it takes files by choice, paste and drop: texts, and what else the model takes. */
export function Composer({ live, onSend }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const { attachments, refusal, add, remove, clear } = useAttachments();
  const isOver = useDrop(add);
  const sending = useRef(false);
  const mayAnswer = models.value === undefined || chatModel.value !== undefined;
  const canSend = live === undefined && mayAnswer && text.trim() !== '';
  const send = async () => {
    if (!canSend || sending.current) return;
    sending.current = true;
    if (await onSend(text, attachments)) {
      setText('');
      clear();
    }
    sending.current = false;
  };
  useEffect(() => {
    // As high as its text, up to the style sheet's limit.
    if (area.current === null) return;
    area.current.style.height = 'auto';
    area.current.style.height = `${area.current.scrollHeight}px`;
  }, [text]);
  return (
    <form
      class={isOver ? 'composer over' : 'composer'}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Problem text={refusal} />
      <Chips attachments={attachments} onRemove={remove} />
      <div class="composer-row">
        <AttachButton onFiles={add} />
        <textarea
          ref={area}
          id="composer"
          rows={1}
          dir="auto"
          aria-label={t.chat.message}
          placeholder={t.chat.placeholder}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onPaste={(event) => add(event.clipboardData?.files)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            void send();
          }}
        />
        <SendButton live={live} canSend={canSend} />
      </div>
    </form>
  );
}

/** Whether a file is dragged over the page, anywhere on which it may be dropped. */
function useDrop(onFiles: (files: FileList | undefined) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const drop = useRef(onFiles);
  drop.current = onFiles;
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const over = (event: DragEvent) => {
      event.preventDefault();
      setIsOver(true);
    };
    const left = ({ relatedTarget }: DragEvent) => setIsOver(relatedTarget !== null);
    const dropped = (event: DragEvent) => {
      event.preventDefault();
      setIsOver(false);
      drop.current(event.dataTransfer?.files);
    };
    addEventListener('dragover', over, { signal });
    addEventListener('dragleave', left, { signal });
    addEventListener('drop', dropped, { signal });
    return () => leaving.abort();
  }, []);
  return isOver;
}

function AttachButton({ onFiles }: { onFiles: (files: FileList | null) => void }) {
  return (
    <label class="icon-button attach" title={t.chat.attach}>
      <Icon name="clip" />
      <span class="visually-hidden">{t.chat.attach}</span>
      <input
        type="file"
        multiple
        onChange={({ currentTarget }) => {
          onFiles(currentTarget.files);
          // The same file may be chosen again.
          currentTarget.value = '';
        }}
      />
    </label>
  );
}

function SendButton({ live, canSend }: { live: LiveAnswer | undefined; canSend: boolean }) {
  return live === undefined ? (
    <button
      type="submit"
      class="round primary"
      aria-label={t.chat.send}
      title={t.chat.send}
      disabled={!canSend}
    >
      <Icon name="send" />
    </button>
  ) : (
    <button
      type="button"
      class="round"
      aria-label={t.chat.stop}
      title={t.chat.stop}
      onClick={() => live.stop()}
    >
      <Icon name="stop" />
    </button>
  );
}

function Chips({
  attachments,
  onRemove,
}: {
  attachments: readonly Attachment[];
  onRemove: (index: number) => void;
}) {
  return (
    <>
      {attachments.map((attachment, index) => (
        <span key={index} class="chip">
          {attachment.name}
          {attachment.kind === 'text' && <small>{toSize(attachment.text.length)}</small>}
          <IconButton
            icon="close"
            label={`${t.chat.detach}: ${attachment.name}`}
            onClick={() => onRemove(index)}
          />
        </span>
      ))}
    </>
  );
}
