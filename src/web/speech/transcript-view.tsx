import { useRef, useState } from 'preact/hooks';
import { toSrt, toVtt } from '../../words/subtitles.ts';
import { t } from '../operator-texts.ts';
import { Button, CopyButton, Problem } from '../ui/controls.tsx';
import { saveFile } from '../ui/save-file.ts';
import { toPosition } from '../words.ts';
import { stopTranscription, type Job } from './transcription.ts';
import type { Transcription } from '../api/types.ts';

/** The audio, and below it each segment with its time; a click plays it from there. */
export function TranscriptView({ job }: { job: Job }) {
  const audio = useRef<HTMLAudioElement>(null);
  const [atSeconds, setAtSeconds] = useState<number>();
  const { segments } = job.transcript;
  const playFrom = (seconds: number) => {
    if (audio.current === null) return;
    audio.current.currentTime = seconds;
    void audio.current.play();
  };
  const isPlayed = ({ start, end }: { start: number; end: number }) =>
    atSeconds !== undefined && atSeconds >= start && atSeconds < end;
  return (
    <section class="card transcript">
      <h2>{job.name}</h2>
      {/* What could not be read cannot be played either. */}
      {(job.state !== 'failed' || segments.length > 0) && (
        <audio
          ref={audio}
          controls
          src={job.url}
          aria-label={job.name}
          onTimeUpdate={({ currentTarget }) => setAtSeconds(currentTarget.currentTime)}
        />
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
      <Outcome job={job} />
      {segments.length > 0 && job.state !== 'running' && <Downloads job={job} />}
    </section>
  );
}

function Outcome({ job: { state, problem, transcript } }: { job: Job }) {
  const { segments } = transcript;
  if (state === 'running') {
    const end = segments.at(-1)?.end;
    return (
      <div class="actions">
        <span class="note pulse" role="status">
          {end === undefined ? t.speech.transcribing : t.speech.heardUntil(toPosition(end))}
        </span>
        <span class="spacer" />
        <Button text={t.chat.stop} onClick={stopTranscription} />
      </div>
    );
  }
  if (state === 'failed') return <Problem text={problem} />;
  if (state === 'stopped') return <p class="note">{t.chat.stopped}</p>;
  return segments.length === 0 ? <p class="note">{t.speech.nothing}</p> : null;
}

function Downloads({ job: { name, transcript } }: { job: Job }) {
  const save = (format: TranscriptFormat) =>
    saveFile(`${name.replace(/\.\w+$/, '')}.${format}`, new Blob([formats[format](transcript)]));
  return (
    <div class="actions">
      <span class="quiet">{t.speech.download}</span>
      {(Object.keys(formats) as TranscriptFormat[]).map((format) => (
        <Button key={format} text={format} onClick={() => save(format)} />
      ))}
      <span class="spacer" />
      <CopyButton text={formats.txt(transcript)} />
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
