import { IconButton } from '../ui/controls.tsx';
import { t } from '../texts.ts';
import { beginTalk, isHandsFree } from './hands-free.ts';
import { readAloud, reading, stopReading } from './reading/reading.ts';

/** Begins to talk with the model; the bar of the talk has the button that ends it. */
export const HandsFreeButton = () =>
  isHandsFree.value ? null : <IconButton icon="waves" label={t.voice.handsFree} onClick={beginTalk} />;

interface ReadProps {
  readonly messageId: string;
  /** Whether it is being written: it is not offered then. */
  readonly growing: boolean;
}

/** Reads an answer aloud, or stops that. */
export function ReadButton({ messageId, growing }: ReadProps) {
  if (reading.value?.messageId !== messageId)
    return growing ? null : (
      <IconButton icon="sound" label={t.voice.read} onClick={() => void readAloud(messageId)} />
    );
  return (
    <span class={reading.value.isHeard ? 'reading' : 'reading pulse'}>
      <IconButton icon="stop" label={t.voice.stopReading} onClick={stopReading} />
    </span>
  );
}
