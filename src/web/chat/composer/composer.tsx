import { useEffect, useRef, useState } from 'preact/hooks';
import { IconButton, Problem } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { chatModel, models } from '../../state/models.ts';
import { t } from '../../texts.ts';
import type { LiveAnswer } from '../answer.ts';
import type { Attachment } from '../conversations/conversation.ts';

interface Props {
  readonly live: LiveAnswer | undefined;
  /** False: nothing was sent, and the text stays. */
  readonly onSend: (text: string, attachments: readonly Attachment[]) => Promise<boolean>;
}

/** Where a message is written; it takes pictures and sounds by file, paste and drop where the model takes them. */
export function Composer({ live, onSend }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const { attachments, refusal, add, remove, clear } = useAttachments();
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
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        add(event.dataTransfer?.files);
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

function AttachButton({ onFiles }: { onFiles: (files: FileList | null) => void }) {
  return (
    <label class="icon-button attach" title={t.chat.attach}>
      <Icon name="clip" />
      <span class="visually-hidden">{t.chat.attach}</span>
      <input
        type="file"
        accept="image/*,audio/*"
        multiple
        onChange={({ currentTarget }) => onFiles(currentTarget.files)}
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
      {attachments.map(({ name }, index) => (
        <span key={index} class="chip">
          {name}{' '}
          <IconButton icon="close" label={`${t.chat.detach}: ${name}`} onClick={() => onRemove(index)} />
        </span>
      ))}
    </>
  );
}

function useAttachments() {
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);
  const [refusal, setRefusal] = useState<string>();
  const add = (files: FileList | null | undefined) => {
    setRefusal(undefined);
    for (const file of files ?? []) {
      const kind = file.type.startsWith('image/')
        ? 'image'
        : file.type.startsWith('audio/')
          ? 'audio'
          : undefined;
      const model = chatModel.value;
      if (kind === undefined || model === undefined) continue;
      if (kind === 'image' && !model.capabilities.supports_image) setRefusal(t.chat.noPictures(model.id));
      else if (kind === 'audio' && !model.capabilities.supports_audio) setRefusal(t.chat.noAudio(model.id));
      else
        void toDataUrl(file).then((dataUrl) =>
          setAttachments((others) => [...others, { name: file.name, kind, dataUrl }]),
        );
    }
  };
  return {
    attachments,
    refusal,
    add,
    remove: (index: number) => setAttachments(attachments.toSpliced(index, 1)),
    clear: () => setAttachments([]),
  };
}

function toDataUrl(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.addEventListener('load', () => resolve(reader.result as string));
  reader.addEventListener('error', () => reject(reader.error ?? new Error(file.name)));
  reader.readAsDataURL(file);
  return promise;
}
