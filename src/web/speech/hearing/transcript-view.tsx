import { useEffect, useRef, useState } from 'preact/hooks';
import { toSrt, toVtt } from '../../../words/subtitles.ts';
import { t } from '../../words/operator-texts.ts';
import { voiceTexts } from '../../voice/texts.ts';
import { Button, CopyButton, Problem } from '../../ui/controls.tsx';
import { AskingButton } from '../../ui/overlays/ask.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useObjectUrl } from '../../ui/media/picture.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Sound } from '../../ui/media/sound.tsx';
import { toAge, toMinutes, toPosition } from '../../words/times.ts';
import { joined } from '../../words/formats.ts';
import { removeJob, stopTranscription, type Job } from './transcription.ts';
import type { Transcription } from '../../api/types.ts';

interface Props {
  readonly job: Job;
  /** Whether it is unfolded. */
  readonly isNewest: boolean;
  /** Listens to it once more; false: nothing can. */
  readonly onAgain: false | ((job: Job) => void);
}

/** The text of a recording or a file. */
export function TranscriptView({ job, isNewest, onAgain }: Props) {
  const { name, begunAtMs, transcript, state } = job;
  const [isOpen, setOpen] = useState(isNewest);
  useEffect(() => setOpen(isNewest), [isNewest]);
  const { duration } = transcript;
  const facts = joined(duration > 0 && toMinutes(duration), toAge(begunAtMs / 1000));
  return (
    <details
      class="card transcript"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <h2>{name}</h2>
        <small>{facts}</small>
        {!isOpen && t.speech.ends[state] !== undefined && <small class={state}>{t.speech.ends[state]}</small>}
        <span class="beginning">{!isOpen && transcript.text}</span>
        <Icon name="right" />
      </summary>
      {isOpen && <Segments job={job} />}
      {isOpen && <Outcome job={job} />}
      {isOpen && state !== 'running' && <JobTools {...{ job, onAgain }} />}
    </details>
  );
}

/** The audio, and below it each segment with its time; a click plays it from there. */
function Segments({ job: { name, audio: content, state, transcript } }: { job: Job }) {
  const audio = useRef<HTMLAudioElement>(null);
  const url = useObjectUrl(content);
  const [atSeconds, setAtSeconds] = useState<number>();
  const { segments } = transcript;
  const playFrom = (seconds: number) => {
    if (audio.current === null) return;
    audio.current.currentTime = seconds;
    void audio.current.play();
  };
  const isPlayed = ({ start, end }: { start: number; end: number }) =>
    atSeconds !== undefined && atSeconds >= start && atSeconds < end;
  return (
    <>
      {/* A file that could not be read cannot be played either. */}
      {(state !== 'failed' || segments.length > 0) && (
        <Sound url={url} name={name} audio={audio} onTime={setAtSeconds} />
      )}
      <ol>
        {segments.map((segment) => (
          <li key={segment.id} class={isPlayed(segment) ? 'played' : undefined}>
            <Button
              class="quiet"
              aria-label={t.speech.play(toPosition(segment.start))}
              text={toPosition(segment.start)}
              onClick={() => playFrom(segment.start)}
            />
            <span onClick={() => playFrom(segment.start)}>{segment.text.trim()}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

function Outcome({ job: { id, state, problem, transcript } }: { job: Job }) {
  const { segments } = transcript;
  if (state === 'running') {
    const end = segments.at(-1)?.end;
    return (
      <div class="actions">
        <span class="note pulse" role="status">
          {end === undefined ? t.speech.transcribing : t.speech.heardUntil(toPosition(end))}
        </span>
        <span class="spacer" />
        <Button text={t.chat.stop} onClick={() => stopTranscription(id)} />
      </div>
    );
  }
  if (state === 'failed') return <Problem text={problem} />;
  if (state === 'stopped') return <p class="note">{t.chat.stopped}</p>;
  return segments.length === 0 ? <p class="note">{voiceTexts.nothingHeard}</p> : null;
}

function JobTools({ job, onAgain }: Pick<Props, 'job' | 'onAgain'>) {
  const { id, name, state, transcript } = job;
  const save = (format: TranscriptFormat) =>
    saveFile(`${name.replace(/\.\w+$/, '')}.${format}`, new Blob([formats[format](transcript)]));
  const isEmpty = transcript.segments.length === 0;
  return (
    <div class="actions">
      {!isEmpty && (
        <>
          <span class="quiet">{t.speech.download}</span>
          {(Object.keys(formats) as TranscriptFormat[]).map((format) => (
            <Button key={format} text={format} onClick={() => save(format)} />
          ))}
        </>
      )}
      <span class="spacer" />
      {state !== 'done' && onAgain && <Button text={t.shell.tryAgain} onClick={() => onAgain(job)} />}
      {!isEmpty && <CopyButton text={formats.txt(transcript)} />}
      <AskingButton
        icon="trash"
        label={`${t.chat.remove}: ${name}`}
        action={t.chat.remove}
        question={t.speech.removeQuestion(name)}
        onConfirm={() => removeJob(id)}
      />
    </div>
  );
}

/** A transcript as a file of each kind. */
const formats = {
  txt: ({ text }: Transcription) => `${text.trim()}\n`,
  srt: ({ segments }: Transcription) => toSrt(segments),
  vtt: ({ segments }: Transcription) => toVtt(segments),
  json: (transcript: Transcription) => JSON.stringify(transcript, null, 2),
} as const;

type TranscriptFormat = keyof typeof formats;
