import { useEffect, useState } from 'preact/hooks';
import { Heard, useRecorder } from '../../speech/hearing/recorder.tsx';
import { writeDown } from '../../speech/hearing/write-down.ts';
import { messageOf } from '../../state/polled.ts';
import { isHandsFree } from '../../voice/hands-free.ts';
import { voiceTexts } from '../../voice/texts.ts';
import { IconButton } from '../../ui/controls.tsx';
import { joined } from '../../words/formats.ts';

interface Props {
  /** That the server does not answer; undefined: it does. */
  readonly away: string | undefined;
  readonly onText: (text: string) => void;
  readonly onProblem: (problem: string | undefined) => void;
}

/** Writes the speech at the microphone, by the speech model of this server. */
export function Dictation({ away, onText, onProblem }: Props) {
  const [isBusy, setBusy] = useState(false);
  const write = async (clip: Blob) => {
    setBusy(true);
    onProblem(undefined);
    try {
      const text = await writeDown(clip);
      if (text === '') onProblem(voiceTexts.nothingHeard);
      else onText(text);
    } catch (error) {
      onProblem(messageOf(error));
    }
    setBusy(false);
  };
  const { microphone, problem, toggle, discard } = useRecorder((clip) => void write(clip));
  const isTalking = isHandsFree.value;
  useEffect(() => {
    if (!isTalking) return;
    // One of both hears the person at a time.
    if (microphone !== undefined) toggle();
    onProblem(undefined);
  }, [isTalking]);
  useEffect(() => {
    if (microphone === undefined) return;
    onProblem(undefined);
    const stop = ({ key }: KeyboardEvent) => key === 'Escape' && discard();
    addEventListener('keydown', stop);
    return () => removeEventListener('keydown', stop);
  }, [microphone]);
  useEffect(() => {
    if (problem !== undefined) onProblem(problem);
  }, [problem]);
  if (isTalking && microphone === undefined && !isBusy) return null;
  const label = microphone
    ? voiceTexts.dictationEnd
    : isBusy
      ? voiceTexts.dictationBusy
      : joined(voiceTexts.dictate, away);
  return (
    <>
      {microphone && (
        <>
          <IconButton icon="close" label={voiceTexts.dictationDiscard} onClick={discard} />
          <Heard microphone={microphone} />
        </>
      )}
      {isBusy && <small class="pulse">{voiceTexts.dictationBusy}</small>}
      <IconButton
        class={microphone ? 'icon-button recording' : 'icon-button'}
        icon={microphone ? 'stop' : 'mic'}
        label={label}
        disabled={isBusy || (away !== undefined && !microphone)}
        onClick={toggle}
      />
    </>
  );
}
