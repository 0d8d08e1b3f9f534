import { lazy, Suspense } from 'preact/compat';
import { useEffect, useRef, useState } from 'preact/hooks';
import { importPart } from '../../api/connection.ts';
import { IconButton, Problem } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { chatModel, models, speechModels, voiceModels } from '../../state/models.ts';
import { t } from '../../texts.ts';
import type { LiveAnswer } from '../answers/answer.ts';
import type { Conversation } from '../conversations/conversation.ts';
import { keepUnsent, unsentText } from '../new-chat.ts';
import { useAttachments, whyRefused, type NewAttachment } from './attachments.ts';
import { Chips } from './chips.tsx';
import { Dictation } from './dictation.tsx';
import { useDrop } from './drop.ts';

const DrawingPad = lazy(async () => ({
  default: (await importPart(() => import('./drawing/drawing-pad.tsx'))).DrawingPad,
}));

const HandsFreeButton = lazy(async () => ({
  default: (await importPart(() => import('../../voice/hands-free-button.tsx'))).HandsFreeButton,
}));

/** In characters. A longer text is attached when it is pasted, because nobody writes on in it. */
const longPaste = 20_000;

interface Props {
  readonly conversation: Conversation;
  /** The answers that are being written in it. */
  readonly lives: readonly LiveAnswer[];
  /** False: nothing was sent, and the text stays. */
  readonly onSend: (text: string, attachments: readonly NewAttachment[]) => Promise<boolean>;
}

/** Where a message is written; it takes files by choice, paste and drop: texts, and what else the model takes. */
export function Composer({ conversation: { id }, lives, onSend }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => unsentText(id));
  const { attachments, refusal, refuse, add, remove, clear } = useAttachments();
  const isOver = useDrop(add);
  const sending = useRef(false);
  const canSend = lives.length === 0 && mayAnswer() && (text.trim() !== '' || attachments.length > 0);
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
    keepUnsent(id, text);
  }, [text]);
  useReadyToWrite(area, lives.length > 0);
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
        <Tools onFiles={add} setText={setText} onProblem={refuse} />
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
            if (!isSending(event)) return;
            event.preventDefault();
            void send();
          }}
        />
        <SendButton lives={lives} canSend={canSend} />
      </div>
    </form>
  );
}

/** Whether the page is used with fingers, whose keyboard has no Shift Enter and would cover half of the screen. */
const isTouched = () => matchMedia('(pointer: coarse)').matches;

/** Whether a key sends the message: Enter, which on a touched screen is a new line. */
function isSending({ key, isComposing, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return key === 'Enter' && !isComposing && (ctrlKey || metaKey || !(shiftKey || isTouched()));
}

/** Has what the person types next go into `area`: when the chat is opened, and when its answer has ended. */
function useReadyToWrite(area: { readonly current: HTMLTextAreaElement | null }, isAnswering: boolean): void {
  useEffect(() => {
    const isElsewhere = document.activeElement !== null && document.activeElement !== document.body;
    if (!isAnswering && !isElsewhere && !isTouched()) area.current?.focus();
  }, [isAnswering]);
}

/** Whether there is a model to answer, as far as is known. */
const mayAnswer = () => models.value === undefined || chatModel.value !== undefined;

interface ToolsProps {
  readonly onFiles: (files: Iterable<File> | null) => void;
  readonly setText: (change: (before: string) => string) => void;
  readonly onProblem: (problem: string | undefined) => void;
}

/** Buttons that put files, drawings and dictated words into a message. */
const Tools = ({ onFiles, setText, onProblem }: ToolsProps) => (
  <>
    <AttachButton onFiles={onFiles} />
    <DrawButton onFiles={onFiles} />
    <DictateButton
      onText={(spoken) => setText((before) => `${before} ${spoken}`.trimStart())}
      onProblem={onProblem}
    />
    <Suspense fallback={null}>{canTalk() && <HandsFreeButton />}</Suspense>
  </>
);

/** Makes `area` as high as its text, up to the style sheet's limit. */
function fitHeight(area: HTMLTextAreaElement): void {
  area.style.height = 'auto';
  area.style.height = `${area.scrollHeight}px`;
}

/** Files that a paste attaches: its pictures, or its text where that is long. Anything else is left to the browser. */
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

/** Whether there is a speech model, and the browser may give the microphone. */
const canDictate = () => speechModels.value.length > 0 && window.isSecureContext;
const canTalk = () => canDictate() && voiceModels.value.length > 0 && chatModel.value !== undefined;

const DictateButton = (props: Parameters<typeof Dictation>[0]) =>
  canDictate() ? <Dictation {...props} /> : null;

function SendButton({ lives, canSend }: { lives: readonly LiveAnswer[]; canSend: boolean }) {
  return lives.length === 0 ? (
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
      onClick={() => lives.forEach((live) => live.stop())}
    >
      <Icon name="stop" />
    </button>
  );
}
