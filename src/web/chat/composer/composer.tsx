import { lazy, Suspense } from 'preact/compat';
import { useEffect, useRef, useState } from 'preact/hooks';
import { IconButton, Problem } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { chatModel, models } from '../../state/models.ts';
import { t } from '../../texts.ts';
import type { LiveAnswer } from '../answer.ts';
import { useAttachments, whyRefused, type NewAttachment } from './attachments.ts';
import { Chips } from './chips.tsx';
import { useDrop } from './drop.ts';

const DrawingPad = lazy(async () => ({ default: (await import('./drawing/drawing-pad.tsx')).DrawingPad }));

/** In characters. What is longer is attached when it is pasted, because nobody writes on in it. */
const longPaste = 20_000;

interface Props {
  readonly live: LiveAnswer | undefined;
  /** False: nothing was sent, and the text stays. */
  readonly onSend: (text: string, attachments: readonly NewAttachment[]) => Promise<boolean>;
}

/** Where a message is written; it takes files by choice, paste and drop: texts, and what else the model takes. */
export function Composer({ live, onSend }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const { attachments, refusal, refuse, add, remove, clear } = useAttachments();
  const isOver = useDrop(add);
  const sending = useRef(false);
  const mayAnswer = models.value === undefined || chatModel.value !== undefined;
  const canSend = live === undefined && mayAnswer && (text.trim() !== '' || attachments.length > 0);
  const send = async () => {
    if (!canSend || sending.current) return;
    sending.current = true;
    // Another model may have been chosen since they were attached.
    const refused = attachments.map(({ kind }) => whyRefused(kind)).find((why) => why !== undefined);
    refuse(refused);
    const isSent =
      refused === undefined && (await onSend(text, attachments).catch(() => refuse(t.chat.noRoom)));
    if (isSent === true) {
      setText('');
      clear();
    }
    sending.current = false;
  };
  useEffect(() => {
    if (area.current !== null) fitHeight(area.current);
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
        <DrawButton onFiles={add} />
        <textarea
          ref={area}
          id="composer"
          rows={1}
          dir="auto"
          aria-label={t.chat.message}
          placeholder={t.chat.placeholder}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onPaste={(event) => add(filesOfPaste(event))}
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

/** Makes `area` as high as its text, up to the style sheet's limit. */
function fitHeight(area: HTMLTextAreaElement): void {
  area.style.height = 'auto';
  area.style.height = `${area.scrollHeight}px`;
}

/** What of a paste is attached: pictures, and a long text. Anything else is left to the browser. */
function filesOfPaste(event: ClipboardEvent): Iterable<File> | undefined {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  // Office programs put a picture of a text beside it.
  if (text === '') return event.clipboardData?.files;
  if (text.length <= longPaste) return undefined;
  event.preventDefault();
  return [new File([text], t.chat.pastedFile, { type: 'text/plain' })];
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

/** Opens the sheet to draw on, where the chosen model can see. */
function DrawButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const [drawing, setDrawing] = useState(false);
  if (chatModel.value?.capabilities.supports_image !== true) return null;
  return (
    <>
      <IconButton icon="draw" label={t.drawing.title} onClick={() => setDrawing(true)} />
      {drawing && (
        <Suspense fallback={null}>
          <DrawingPad onAttach={(file) => onFiles([file])} onClose={() => setDrawing(false)} />
        </Suspense>
      )}
    </>
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
