import { useState } from 'preact/hooks';
import type { Transcription } from '../../api/types.ts';
import { useRecorder } from '../../speech/recorder.ts';
import { messageOf } from '../../state/polled.ts';
import { speechModels } from '../../state/models.ts';
import { asUser } from '../../state/session.ts';
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
      const form = new FormData();
      form.append('model', speechModels.value[0]?.id ?? '');
      form.append('language', 'auto');
      form.append('file', clip, 'dictation.webm');
      const response = await asUser('audio/transcriptions', { method: 'POST', body: form });
      const { text } = (await response.json()) as Pick<Transcription, 'text'>;
      if (text.trim() !== '') onText(text.trim());
    } catch (error) {
      onProblem(messageOf(error));
    }
    setBusy(false);
  };
  const { recording, problem, toggle } = useRecorder((clip) => void write(clip));
  const label = recording ? t.chat.dictationEnd : isBusy ? t.chat.dictationBusy : t.chat.dictate;
  return (
    <IconButton
      icon={recording ? 'stop' : 'mic'}
      label={problem ?? label}
      disabled={isBusy}
      onClick={toggle}
    />
  );
}
