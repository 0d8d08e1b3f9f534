import { useState } from 'preact/hooks';
import { useRecorder } from '../../speech/recorder.ts';
import { writeDown } from '../../speech/write-down.ts';
import { messageOf } from '../../state/polled.ts';
import { t } from '../../texts.ts';
import { IconButton } from '../../ui/controls.tsx';

interface Props {
  readonly onText: (text: string) => void;
  readonly onProblem: (problem: string | undefined) => void;
}

/** Writes what the microphone hears, by the speech model of this server. */
export function Dictation({ onText, onProblem }: Props) {
  const [isBusy, setBusy] = useState(false);
  const write = async (clip: Blob) => {
    setBusy(true);
    onProblem(undefined);
    try {
      const text = await writeDown(clip);
      if (text !== '') onText(text);
    } catch (error) {
      onProblem(messageOf(error));
    }
    setBusy(false);
  };
  const { recording, problem, toggle } = useRecorder((clip) => void write(clip));
  const label = recording ? t.chat.dictationEnd : isBusy ? t.chat.dictationBusy : t.chat.dictate;
  return (
    <IconButton
      class={recording ? 'icon-button recording pulse' : 'icon-button'}
      icon={recording ? 'stop' : 'mic'}
      label={problem ?? label}
      disabled={isBusy}
      onClick={toggle}
    />
  );
}
