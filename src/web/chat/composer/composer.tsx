import { useEffect, useRef } from 'preact/hooks';
import { isServerAway } from '../../api/connection.ts';
import { IconButton, Problem } from '../../ui/controls.tsx';
import { fitHeight, Form } from '../../ui/forms/fields.tsx';
import { lazyPart } from '../../ui/rendering/lazy-part.tsx';
import { chatModel, models, speechModels, voiceModels } from '../../state/models.ts';
import { t } from '../../words/texts.ts';
import type { LiveAnswer } from '../answers/answer.ts';
import type { Attachment, ChatSettings, Conversation } from '../conversations/conversation.ts';
import { keepUnsent, unsentText } from '../new-chat.ts';
import type { Panel } from '../toolbar.tsx';
import { refusalsOf } from './attachments/attachments.ts';
import { PlusMenu } from './plus-menu.tsx';
import { isSending, isTouched, writeOn } from './keyboard.ts';
import { useAttachments, useDrop } from './attachments/use-attachments.ts';

const Chips = lazyPart(async () => (await import('./attachments/chips.tsx')).Chips);
const Notes = lazyPart(async () => (await import('./notes/notes.tsx')).Notes);
const Dictation = lazyPart(async () => (await import('./dictation.tsx')).Dictation);
const ServerChips = lazyPart(async () => (await import('../settings/setting-chips.tsx')).ServerChips);
const HandsFreeButton = lazyPart(async () => (await import('../../voice/voice-bar.tsx')).HandsFreeButton);

/** In characters and lines. A longer text is attached when it is pasted, because nobody writes on in it. */
const longPaste = 2000;
const manyLines = 30;

interface Props {
  readonly conversation: Conversation;
  /** The answers that are being written in it. */
  readonly lives: readonly LiveAnswer[];
  /** Gives back why a question cannot be sent; undefined: it was sent. */
  readonly onSend: (text: string, attachments: readonly Attachment[]) => Promise<string | undefined>;
  readonly onModel: (id: string) => void;
  readonly onSecond: (id: string | undefined) => void;
  readonly onSettings: (settings: ChatSettings) => void;
  readonly onOpen: (panel: Panel) => void;
}

/** Where a message is written; it takes files by choice, paste and drop: texts, and others that the model takes. */
export function Composer(props: Props) {
  const { conversation, lives, onSend, onModel, onSecond, onSettings, onOpen } = props;
  const { id, settings, comparedModel: second } = conversation;
  const text = unsentText(id);
  const setText = (next: string) => keepUnsent(id, next);
  const files = useAttachments(id);
  const { attachments, pending, refused, refusal, refuse, add, clear } = files;
  const isOver = useDrop(add);
  const sending = useRef(false);
  const isAnswering = lives.length > 0;
  const hasContent = text.trim() !== '' || attachments.length > 0;
  const isTaken = pending.length === 0 && refusalsOf(attachments, second).length === 0;
  const canSend = isTaken && hasContent && mayAnswer();
  const addText = (more: string) => setText(`${unsentText(id)} ${more}`.trimStart());
  const send = async () => {
    if (!canSend || sending.current) return;
    sending.current = true;
    refuse(undefined);
    const problem = await onSend(text, attachments);
    if (problem === undefined) {
      setText('');
      clear();
      // The button that was pressed goes.
      writeOn();
    } else refuse(problem);
    sending.current = false;
  };
  return (
    <Form class="composer" onSend={() => void send()}>
      <Notes {...{ conversation, isAnswering, isOver, onModel }} />
      <Problem text={refusal} />
      <div class="composer-box">
        {attachments.length + pending.length + refused.length > 0 && (
          <Chips {...files} {...{ second, onModel, onSecond, onText: addText }} />
        )}
        <MessageField
          text={text}
          isAnswering={isAnswering}
          onText={(next) => {
            setText(next);
            refuse(undefined);
          }}
          onFiles={add}
          onSend={() => void send()}
        />
        <div class="composer-tools">
          <PlusMenu settings={settings} onSettings={onSettings} onOpen={onOpen} onFiles={add} />
          {settings.servers && <ServerChips {...{ settings, onSettings, onOpen }} />}
          <span class="spacer" />
          <SpeechButtons onText={addText} onProblem={refuse} />
          <SendButtons lives={lives} canSend={canSend} />
        </div>
      </div>
    </Form>
  );
}

interface FieldProps {
  readonly text: string;
  readonly isAnswering: boolean;
  readonly onText: (text: string) => void;
  readonly onFiles: (files: Iterable<File> | undefined) => void;
  readonly onSend: () => void;
}

function MessageField({ text, isAnswering, onText, onFiles, onSend }: FieldProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (area.current !== null) fitHeight(area.current);
  }, [text]);
  useReadyToWrite(area, isAnswering);
  return (
    <textarea
      ref={area}
      id="composer"
      rows={1}
      dir="auto"
      aria-label={t.chat.message}
      placeholder={t.chat.placeholder}
      value={text}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
      onPaste={(event) => onFiles(filesOfPaste(event))}
      onKeyDown={(event) => {
        if (!isSending(event)) return;
        event.preventDefault();
        onSend();
      }}
    />
  );
}

/** Has the next keys of the person go into `area`: when the chat is opened, and when its answer has ended. */
function useReadyToWrite(area: { readonly current: HTMLTextAreaElement | null }, isAnswering: boolean): void {
  useEffect(() => {
    const isElsewhere = document.activeElement !== null && document.activeElement !== document.body;
    if (!isAnswering && !isElsewhere && !isTouched()) area.current?.focus();
  }, [isAnswering]);
}

/** Whether there is a model to answer, as far as is known. */
const mayAnswer = () => models.value === undefined || chatModel.value !== undefined;

/** Files that a paste attaches: its pictures, or its text where that is long. Anything else is left to the browser. */
function filesOfPaste(event: ClipboardEvent): Iterable<File> | undefined {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  // Office programs put a picture of a text beside it.
  if (text === '') return event.clipboardData?.files;
  if (text.length <= longPaste && text.split('\n', manyLines + 1).length <= manyLines) return undefined;
  event.preventDefault();
  return [new File([text], t.chat.pastedFile, { type: 'text/plain' })];
}

/** Whether there is a speech model, and the browser may give the microphone. */
const canDictate = () => speechModels.value.length > 0 && window.isSecureContext;
const canTalk = () => canDictate() && voiceModels.value.length > 0 && chatModel.value !== undefined;

interface SpeechProps {
  readonly onText: (text: string) => void;
  readonly onProblem: (problem: string | undefined) => void;
}

/** To dictate a message, and to talk. */
function SpeechButtons(props: SpeechProps) {
  const away = isServerAway.value ? t.errors.unreachable : undefined;
  return (
    <>
      {canDictate() && <Dictation away={away} {...props} />}
      {canTalk() && <HandsFreeButton away={away} />}
    </>
  );
}

/** While an answer is written: the button that stops it, and beside that one that sends a message when it has ended. */
function SendButtons({ lives, canSend }: { lives: readonly LiveAnswer[]; canSend: boolean }) {
  const stop = () => {
    for (const live of lives) live.stop();
    writeOn();
  };
  const isAnswering = lives.length > 0;
  return (
    <>
      {isAnswering && <IconButton class="round stop" icon="stop" label={t.chat.stop} onClick={stop} />}
      {(canSend || !isAnswering) && (
        <IconButton
          type="submit"
          class="round primary"
          icon="send"
          label={isAnswering ? t.chat.sendNext : t.chat.send}
          disabled={!canSend}
        />
      )}
    </>
  );
}
