import { useEffect, useRef } from 'preact/hooks';
import type { LiveAnswer } from '../chat/answers/answer.ts';
import { Button } from '../ui/controls.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { currentPhase, heardMicrophone, heardWords } from './hands-free.ts';
import { openMeter, toLoudness } from './meter.ts';
import { reading, stopReading } from './reading/reading.ts';
import { voiceTexts } from './texts.ts';
import { writeOn } from '../chat/composer/keyboard.ts';

interface Props {
  /** The answers that are being written in the chat. */
  readonly lives: readonly LiveAnswer[];
  readonly onEnd: () => void;
}

type Phase = ReturnType<typeof currentPhase>;
const icons = { listening: 'mic', thinking: 'thought', speaking: 'sound' } as const;

/** In place of the composer while somebody talks: the phase of the talk, the words heard, and how to end it. */
export function TalkPanel({ lives, onEnd }: Props) {
  const isAnswering = lives.length > 0;
  // The first sound of a whole answer is there in a moment.
  const phase = reading.value !== undefined && !isAnswering ? 'speaking' : currentPhase();
  const end = useRef<HTMLDivElement>(null);
  const focusEnd = () => end.current?.querySelector<HTMLElement>('.primary')?.focus();
  useEffect(() => {
    // The button that was pressed is gone, and so is this panel's own at the end of the talk.
    focusEnd();
    return () => void setTimeout(focusComposer);
  }, []);
  const interrupt = () => {
    for (const live of lives) live.stop();
    stopReading();
    focusEnd();
  };
  return (
    <section class={`voice-bar talk ${phase}`} aria-label={voiceTexts.talk}>
      <Orb icon={icons[phase]} microphone={phase === 'listening' ? heardMicrophone.value : undefined} />
      <div class="said">
        <strong role="status">{voiceTexts.phases[phase]}</strong>
        <p dir="auto">{toldOf(phase, heardWords.value)}</p>
      </div>
      <div ref={end} class="actions">
        {(isAnswering || reading.value !== undefined) && (
          <Button text={voiceTexts.interrupt} onClick={interrupt} />
        )}
        <Button class="primary" text={voiceTexts.handsFreeEnd} onClick={onEnd} />
      </div>
    </section>
  );
}

/** The line below the phase: a hint while it listens, then the question that the model was asked. `heard`: as heardWords. */
function toldOf(phase: Phase, heard: string | undefined): string {
  if (phase === 'listening') return heard === '' ? voiceTexts.notUnderstood : voiceTexts.talkHint;
  return heard ? `“${heard}”` : '';
}

const everyMs = 60;

/** The sign of the phase. Sound from a `microphone` widens its halo, so one that is off is seen. */
function Orb({ icon, microphone }: { icon: IconName; microphone: MediaStream | undefined }) {
  const orb = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (microphone === undefined) return;
    const meter = openMeter(microphone);
    const show = (loudness: number) => orb.current?.style.setProperty('--loud', loudness.toFixed(2));
    const timer = setInterval(() => show(toLoudness(meter.level())), everyMs);
    return () => {
      clearInterval(timer);
      meter.close();
      show(0);
    };
  }, [microphone]);
  return (
    <div ref={orb} class="orb" aria-hidden="true">
      <Icon name={icon} />
    </div>
  );
}

/** Has the next keys go into the message, unless the focus is elsewhere, or a keyboard would cover the screen. */
function focusComposer(): void {
  if (document.activeElement === document.body) writeOn();
}
