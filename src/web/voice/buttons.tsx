import { IconButton } from '../ui/controls.tsx';
import { t } from '../texts.ts';
import { isHandsFree, toggleHandsFree } from './hands-free.ts';
import { readAloud, reading, stopReading } from './reading/reading.ts';

/** Begins to talk with the model, or ends it. */
export const HandsFreeButton = () => (
  <IconButton
    icon="waves"
    label={isHandsFree.value ? t.voice.handsFreeEnd : t.voice.handsFree}
    onClick={toggleHandsFree}
  />
);

/** Reads an answer aloud, or stops that. */
export function ReadButton({ messageId }: { messageId: string }) {
  if (reading.value?.messageId !== messageId)
    return <IconButton icon="sound" label={t.voice.read} onClick={() => void readAloud(messageId)} />;
  return (
    <span class={reading.value.isHeard ? 'reading' : 'reading pulse'}>
      <IconButton icon="stop" label={t.voice.stopReading} onClick={stopReading} />
    </span>
  );
}
