import { useEffect, useRef } from 'preact/hooks';
import type { LiveAnswer } from '../chat/answers/answer.ts';
import type { Conversation } from '../chat/conversations/conversation.ts';
import { voiceTexts } from './texts.ts';
import { IconButton } from '../ui/controls.tsx';
import { joined } from '../words/formats.ts';
import { beginTalk, isHandsFree, talk } from './hands-free.ts';
import { openLoudspeakers } from './reading/player.ts';
import { readAloud, reading, readingProblem, stopReading } from './reading/reading.ts';
import { TalkPanel } from './talk-panel.tsx';
import './voice.css';

interface Props {
  readonly conversation: Conversation;
  /** The answers that are being written in it. */
  readonly lives: readonly LiveAnswer[];
  /** Gives back why a question cannot be sent; undefined: it was sent. */
  readonly onAsk: (question: string) => Promise<string | undefined>;
}

/** The bar of a chat's voice: it reads answers, or talks with the person, and names its obstacles. */
export function VoiceBar({ conversation, lives, onAsk }: Props) {
  const { id, leafId } = conversation;
  useReading(conversation, lives.find(({ message }) => message.id === leafId)?.message.id);
  // The conversation grows while the person talks in it.
  const ask = useRef(onAsk);
  ask.current = onAsk;
  const isTalking = isHandsFree.value;
  useEffect(() => {
    if (!isTalking) return;
    const leaving = new AbortController();
    void talk(id, (question) => ask.current(question), leaving.signal);
    return () => leaving.abort();
  }, [isTalking]);
  useEffect(() => {
    addEventListener('keydown', stopByEscape);
    return () => {
      removeEventListener('keydown', stopByEscape);
      stopAll();
    };
  }, [id]);
  if (isTalking) return <TalkPanel lives={lives} onEnd={stopAll} />;
  return readingProblem.value === undefined ? null : (
    <p class="voice-bar note" role="status">
      {readingProblem.value}
    </p>
  );
}

function stopAll(): void {
  isHandsFree.value = false;
  readingProblem.value = undefined;
  stopReading();
}

function stopByEscape({ key }: KeyboardEvent): void {
  if (key === 'Escape' && document.querySelector('dialog[open]') === null) stopAll();
}

/**
 * Reads each answer that is begun while this is shown, where that is wished. A new one ends the reading of others, and
 * one that is stopped is silent too. `begun`: the answer that is being written.
 */
function useReading({ settings, comparedModel, messages }: Conversation, begun: string | undefined): void {
  const isWished = settings.readsAloud === true && comparedModel === undefined;
  const last = useRef(begun);
  useEffect(() => {
    const isOver = begun === undefined;
    if (isOver && messages.find(({ id }) => id === last.current)?.finish === 'stopped') stopReading();
    if (isOver || begun === last.current) return;
    last.current = begun;
    // Who talks is read to already. An answer that another tab has asked for is read there.
    if (isHandsFree.value) return;
    if (isWished && document.hasFocus()) void readAloud(begun);
    else stopReading();
  }, [begun]);
  useEffect(() => {
    if (!isWished) return;
    const open = () => void openLoudspeakers();
    addEventListener('pointerdown', open, { once: true });
    addEventListener('keydown', open, { once: true });
    return () => {
      removeEventListener('pointerdown', open);
      removeEventListener('keydown', open);
    };
  }, [isWished]);
}

/** Begins to talk with the model, unless the server is `away`, which says so; the panel of the talk has the button that ends it. */
export const HandsFreeButton = ({ away }: { away: string | undefined }) =>
  isHandsFree.value ? null : (
    <IconButton
      icon="waves"
      label={joined(voiceTexts.handsFree, away)}
      disabled={away !== undefined}
      onClick={beginTalk}
    />
  );

interface ReadProps {
  readonly messageId: string;
  /** Whether it is being written: it is not offered then. */
  readonly growing: boolean;
}

/** Reads an answer aloud, or stops that. */
export function ReadButton({ messageId, growing }: ReadProps) {
  if (reading.value?.messageId !== messageId)
    return growing ? null : (
      <IconButton icon="sound" label={voiceTexts.read} onClick={() => void readAloud(messageId)} />
    );
  return (
    <span class={reading.value.isHeard ? 'reading' : 'reading pulse'}>
      <IconButton icon="stop" label={voiceTexts.stopReading} onClick={stopReading} />
    </span>
  );
}
